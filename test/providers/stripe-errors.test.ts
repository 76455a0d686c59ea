/**
 * Stripe's documented errors, a row each, and the one meaning of each; the default is unknown (INV-5).
 * The page of a row is named above it.
 */
import { chargeFinding } from '../../providers/stripe/mapping';
import { type HttpResult } from '../../providers/transport';
import { command, REFERENCE } from '../support/stripe-charge';

const expected = { command, reference: REFERENCE };

type ErrorBody = Readonly<Record<string, unknown>>;

function answer(status: number, error?: ErrorBody, replayed = false): HttpResult {
  return { kind: 'answer', status, replayed, retryAfterMs: 7_000, json: { error } };
}

const invalid = (code?: string) => ({ type: 'invalid_request_error', code });
const card = (code: string, decline_code?: string) => ({ type: 'card_error', code, decline_code });

const declined = (code: string) => ({ kind: 'rejected', code, declined: true });
const refused = (code: string) => ({ kind: 'rejected', code, declined: false });
const unknown = (frozen: boolean) => ({ kind: 'unknown', frozen });

const DOCUMENTED: readonly (readonly [string, number, ErrorBody | undefined, object])[] = [
  // docs.stripe.com/declines/codes
  ['no money', 402, card('card_declined', 'insufficient_funds'), declined('insufficient_funds')],
  [
    'a decline without reason',
    402,
    card('card_declined', 'generic_decline'),
    declined('generic_decline'),
  ],
  [
    'a duplicate by the issuer',
    402,
    card('card_declined', 'duplicate_transaction'),
    declined('duplicate_transaction'),
  ],
  // docs.stripe.com/error-codes
  ['a card that expired', 402, card('expired_card'), declined('expired_card')],
  ['a wrong cvc', 402, card('incorrect_cvc'), declined('incorrect_cvc')],
  ['a processing error', 402, card('processing_error'), declined('processing_error')],
  [
    'a holder who must act',
    402,
    card('authentication_required'),
    declined('authentication_required'),
  ],
  ['a number that is none', 400, card('invalid_number'), declined('invalid_number')],
  ['a missing parameter', 400, invalid('parameter_missing'), refused('parameter_missing')],
  ['an unknown parameter', 400, invalid('parameter_unknown'), refused('parameter_unknown')],
  ['no such payment method', 400, invalid('resource_missing'), refused('resource_missing')],
  ['an amount too small', 400, invalid('amount_too_small'), refused('amount_too_small')],
  ['an amount too large', 400, invalid('amount_too_large'), refused('amount_too_large')],
  ['a currency refused', 400, invalid('currency_not_supported'), refused('currency_not_supported')],
  ['no code', 400, invalid(), refused('invalid_request')],
  ['nothing there', 404, invalid('resource_missing'), refused('resource_missing')],
  // docs.stripe.com/error-codes: these speak of what exists, and may be the trace of our first request
  ['an unexpected state', 400, invalid('payment_intent_unexpected_state'), unknown(false)],
  ['something that exists', 400, invalid('resource_already_exists'), unknown(false)],
  ['a captured charge', 400, invalid('charge_already_captured'), unknown(false)],
  ['a refunded charge', 400, invalid('charge_already_refunded'), unknown(false)],
  ['a transition refused', 400, invalid('status_transition_invalid'), unknown(false)],
  // docs.stripe.com/api/idempotent_requests
  ['other parameters under the key', 400, { type: 'idempotency_error' }, unknown(true)],
  ['a key in use', 409, invalid('idempotency_key_in_use'), unknown(false)],
  ['a key in use, typed otherwise', 409, { type: 'idempotency_error' }, unknown(false)],
  // docs.stripe.com/error-low-level: before the idempotency layer
  ['no valid key', 401, invalid('api_key_expired'), { kind: 'not_sent', answered: true }],
  ['no permission', 403, invalid('secret_key_required'), { kind: 'not_sent', answered: true }],
  // docs.stripe.com/rate-limits
  ['a rate limit', 429, invalid('rate_limit'), { kind: 'not_sent', retryAfterMs: 7_000 }],
  ['a lock held by another', 429, invalid('lock_timeout'), unknown(false)],
  // docs.stripe.com/api/errors
  ['a failed dependency', 424, { type: 'api_error' }, unknown(false)],
  ['an error of Stripe', 500, { type: 'api_error' }, unknown(true)],
  ['a bad gateway', 502, { type: 'api_error' }, unknown(false)],
  ['no service', 503, undefined, unknown(false)],
  ['a slow gateway', 504, undefined, unknown(false)],
  // undocumented
  ['402 of another type', 402, invalid('x'), unknown(false)],
  ['402 without a body', 402, undefined, unknown(false)],
  ['400 without a body', 400, undefined, unknown(false)],
  ['400 of a type that is new', 400, { type: 'future_error', code: 'x' }, unknown(false)],
];

it.each(DOCUMENTED)('%s (%i)', (...[, status, error, finding]) => {
  expect(chargeFinding(answer(status, error), expected)).toMatchObject(finding);
});

it.each([202, 204, 301, 302, 307, 405, 408, 410, 412, 418, 422, 425, 451, 501, 520, 599])(
  'status %i is unknown, whatever the body says',
  (status) => {
    const bodies = [invalid('parameter_missing'), card('card_declined'), undefined];
    for (const body of bodies) {
      expect(chargeFinding(answer(status, body), expected).kind).toBe('unknown');
    }
  },
);

it.each([400, 409, 424, 500, 502, 503])('a replayed %i is frozen', (status) => {
  const finding = chargeFinding(answer(status, { type: 'api_error' }, true), expected);
  expect(finding).toMatchObject(unknown(true));
});

it('text of the provider is never kept: only a code that looks like one', () => {
  const finding = chargeFinding(
    answer(402, card('card_declined', 'Jane Doe, 4242 4242')),
    expected,
  );
  expect(finding).toEqual({ kind: 'rejected', code: 'card_declined', declined: true });
});

it.each([
  ['succeeded', { kind: 'applied', providerId: 'pi_1' }],
  ['processing', { kind: 'pending', providerId: 'pi_1' }],
  ['requires_action', { kind: 'pending', providerId: 'pi_1' }],
  ['requires_payment_method', declined('authentication_required')],
])('an error whose PaymentIntent is %s is believed by the intent', (status, finding) => {
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    amount: 1000,
    amount_received: 1000,
    currency: 'eur',
    status,
    metadata: { resolute_reference: REFERENCE },
    last_payment_error: { code: 'authentication_required' },
  };
  const error = { ...card('authentication_required'), payment_intent: intent };
  expect(chargeFinding(answer(402, error), expected)).toEqual(finding);
});
