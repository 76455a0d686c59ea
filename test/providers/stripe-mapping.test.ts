/** What PaymentIntents and refunds mean, and what our requests say. */
import { type ChargeCommand, type RefundCommand } from '../../domain/command';
import { chargeFinding, intentFinding } from '../../providers/stripe/mapping';
import { refundFinding, revertFinding } from '../../providers/stripe/refund-mapping';
import { fromStripeAmount, toStripeAmount } from '../../providers/stripe/money';
import { chargeRequest } from '../../providers/stripe/request';
import { type HttpResult } from '../../providers/transport';
import { command, REFERENCE } from '../support/stripe-charge';

const expected = { command, reference: REFERENCE };
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1000,
  amount_received: 1000,
  currency: 'eur',
  status: 'succeeded',
  metadata: { resolute_reference: REFERENCE },
  last_payment_error: null,
  cancellation_reason: null,
};
const declined = { code: 'card_declined', decline_code: 'lost_card' };

function answer(json: Record<string, unknown> | undefined): HttpResult {
  return { kind: 'answer', status: 200, replayed: false, retryAfterMs: null, json };
}

it.each<[string, object, object]>([
  ['succeeded', {}, { kind: 'applied', providerId: 'pi_1' }],
  ['processing', { status: 'processing' }, { kind: 'pending', providerId: 'pi_1' }],
  ['requires_action', { status: 'requires_action' }, { kind: 'pending' }],
  ['requires_capture', { status: 'requires_capture' }, { kind: 'pending' }],
  [
    'declined',
    { status: 'requires_payment_method', last_payment_error: declined },
    { kind: 'rejected', code: 'lost_card', declined: true },
  ],
  ['created only', { status: 'requires_payment_method' }, { kind: 'unknown', frozen: false }],
  ['not confirmed', { status: 'requires_confirmation' }, { kind: 'unknown' }],
  [
    'canceled',
    { status: 'canceled', cancellation_reason: 'fraudulent' },
    { kind: 'rejected', code: 'canceled_fraudulent', declined: false },
  ],
  ['of a status that is new', { status: 'requires_patience' }, { kind: 'unknown' }],
  ['of another amount', { amount: 1001 }, { kind: 'conflict' }],
  ['of another currency', { currency: 'usd' }, { kind: 'conflict' }],
  ['of another reference', { metadata: { resolute_reference: 'rs-2' } }, { kind: 'conflict' }],
  ['without reference', { metadata: {} }, { kind: 'conflict' }],
  ['captured in part', { amount_received: 900 }, { kind: 'conflict' }],
  ['without id', { id: undefined }, { kind: 'unknown' }],
  ['another object', { object: 'setup_intent' }, { kind: 'unknown' }],
  ['an amount as text', { amount: '1000' }, { kind: 'unknown' }],
])('a PaymentIntent that is %s', (_title, change, finding) => {
  expect(chargeFinding(answer({ ...intent, ...change }), expected)).toMatchObject(finding);
});

it('200 without an object is unknown', () => {
  expect(chargeFinding(answer(undefined), expected).kind).toBe('unknown');
});

it.each([undefined, null, 'pi_1', [], 7])('%p is no PaymentIntent', (value) => {
  expect(intentFinding(value, expected).kind).toBe('unknown');
});

const refund = {
  id: 're_1',
  object: 'refund',
  amount: 1000,
  currency: 'eur',
  status: 'succeeded',
  payment_intent: 'pi_1',
  failure_reason: null,
};

it.each<[string, object, object]>([
  ['succeeded', {}, { kind: 'reverted', providerId: 'pi_1' }],
  ['pending', { status: 'pending' }, { kind: 'pending', providerId: 're_1' }],
  ['waiting for the payer', { status: 'requires_action' }, { kind: 'pending' }],
  [
    'failed',
    { status: 'failed', failure_reason: 'expired_or_canceled_card' },
    { kind: 'rejected', code: 'expired_or_canceled_card' },
  ],
  ['canceled', { status: 'canceled' }, { kind: 'rejected', code: 'canceled' }],
  ['of no status', { status: null }, { kind: 'unknown' }],
  ['of another charge', { payment_intent: 'pi_2' }, { kind: 'conflict' }],
  ['of another amount', { amount: 999 }, { kind: 'conflict' }],
  ['of another currency', { currency: 'usd' }, { kind: 'conflict' }],
  ['another object', { object: 'charge' }, { kind: 'unknown' }],
])('an undoing that is %s', (_title, change, finding) => {
  const result = answer({ ...refund, ...change });
  expect(revertFinding(result, { command, providerId: 'pi_1' })).toMatchObject(finding);
});

const part: RefundCommand = { kind: 'refund', amount: 700, currency: 'EUR', charge: 'pi_1' };
const given = { ...refund, amount: 700, metadata: { resolute_reference: REFERENCE } };

it.each<[string, object, object]>([
  ['succeeded', {}, { kind: 'applied', providerId: 're_1' }],
  ['pending', { status: 'pending' }, { kind: 'pending', providerId: 're_1' }],
  ['waiting for the payer', { status: 'requires_action' }, { kind: 'pending' }],
  [
    'failed',
    { status: 'failed', failure_reason: 'lost_or_stolen_card' },
    { kind: 'rejected', code: 'lost_or_stolen_card', declined: true },
  ],
  ['canceled', { status: 'canceled' }, { kind: 'rejected', code: 'canceled' }],
  ['of no status', { status: null }, { kind: 'unknown' }],
  ['of a status that is new', { status: 'on_its_way' }, { kind: 'unknown' }],
  ['of another charge', { payment_intent: 'pi_2' }, { kind: 'conflict' }],
  ['of another amount', { amount: 701 }, { kind: 'conflict' }],
  ['of another currency', { currency: 'usd' }, { kind: 'conflict' }],
  ['of another reference', { metadata: { resolute_reference: 'rs-2' } }, { kind: 'conflict' }],
  ['without reference', { metadata: null }, { kind: 'conflict' }],
  ['another object', { object: 'charge' }, { kind: 'unknown' }],
])('a refund that is %s', (_title, change, finding) => {
  const result = answer({ ...given, ...change });
  expect(refundFinding(result, { command: part, reference: REFERENCE })).toMatchObject(finding);
});

it.each([
  ['EUR', 1000, 1000],
  ['JPY', 500, 500],
  ['KWD', 5120, 5120],
  ['ISK', 5, 500],
])('%s: %i minor units are %i of Stripe', (currency, minor, stripe) => {
  expect(toStripeAmount(minor, currency)).toBe(stripe);
  expect(fromStripeAmount(stripe, currency)).toBe(minor);
});

it('half a króna is no amount of ours', () => {
  expect(fromStripeAmount(550, 'ISK')).toBeNull();
});

it.each(['MGA', 'UGX'])(
  '%s, whose unit at Stripe is not certain, is refused unsent',
  (currency) => {
    expect(chargeRequest({ ...command, currency }, REFERENCE)).toEqual({
      refused: 'currency_not_served',
    });
  },
);

it("the caller's metadata cannot pass for ours", () => {
  const metadata = { resolute_reference: 'rs-stolen', cart: '7', note: '' };
  const request = chargeRequest({ ...command, metadata }, REFERENCE);
  expect(request).toMatchObject({
    params: {
      metadata: {
        resolute_reference: REFERENCE,
        caller_resolute_reference: 'rs-stolen',
        caller_cart: '7',
      },
    },
  });
  expect(JSON.stringify(request)).not.toContain('note');
});

it.each([['a'.repeat(34)], ['list[0]']])('the metadata name %s is refused unsent', (name) => {
  const named: ChargeCommand = { ...command, metadata: { [name]: '1' } };
  expect(chargeRequest(named, REFERENCE)).toEqual({ refused: 'metadata_name_not_possible' });
});
