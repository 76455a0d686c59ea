/** Only what Stripe signed in time is read, and each type tells what it tells. */
import Stripe from 'stripe';
import { ConfigurationError } from '../../config/environment';
import { providerReference } from '../../domain/identity';
import { stripeNotifications } from '../../providers/stripe/notifications';
import { REFERENCE } from '../support/stripe-charge';

const SECRET = 'whsec_0123456789abcdef';
const OLD = 'whsec_fedcba9876543210';

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1000,
  currency: 'eur',
  metadata: { resolute_reference: REFERENCE },
};
const charge = { ...intent, id: 'ch_1', object: 'charge', payment_intent: 'pi_1', refunded: true };

const refund = {
  id: 're_1',
  object: 'refund',
  amount: 1000,
  currency: 'eur',
  status: 'succeeded',
  payment_intent: 'pi_1',
  failure_reason: null,
  metadata: { resolute_reference: REFERENCE },
};

function event(type: string, object: object, request: object | null = null) {
  return { id: 'evt_1', object: 'event', api_version: 'x', type, data: { object }, request };
}

interface Signing {
  readonly secret?: string;
  readonly ageS?: number;
}

function received(payload: object | string, { secret = SECRET, ageS = 0 }: Signing = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const timestamp = Math.floor(Date.now() / 1000) - ageS;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp });
  return { body: Buffer.from(text), headers: { 'stripe-signature': signature } };
}

function reader(secrets = SECRET) {
  const read = stripeNotifications(secrets);
  if (read === null) throw new Error('no reader');
  return read;
}

const failure = { last_payment_error: { code: 'card_declined', decline_code: 'stolen_card' } };

it.each<[string, object, object]>([
  ['payment_intent.succeeded', intent, { kind: 'applied', providerId: 'pi_1' }],
  ['payment_intent.processing', intent, { kind: 'pending', providerId: 'pi_1' }],
  [
    'payment_intent.payment_failed',
    { ...intent, ...failure },
    { kind: 'rejected', code: 'stolen_card', declined: true },
  ],
  [
    'payment_intent.canceled',
    { ...intent, cancellation_reason: 'abandoned' },
    { kind: 'rejected', code: 'canceled_abandoned', declined: false },
  ],
  ['charge.refunded', charge, { kind: 'reverted', providerId: 'pi_1' }],
  ['refund.created', refund, { kind: 'applied', providerId: 're_1' }],
  ['refund.updated', { ...refund, status: 'pending' }, { kind: 'pending', providerId: 're_1' }],
  [
    'refund.failed',
    { ...refund, status: 'failed', failure_reason: 'declined' },
    { kind: 'rejected', code: 'declined', declined: true },
  ],
])('%s tells of the effect under our reference', (type, object, finding) => {
  const told = { reference: REFERENCE, providerKey: null, finding, amount: 1000, currency: 'EUR' };
  const notification = { eventId: 'evt_1', type, told };
  expect(reader()(received(event(type, object)))).toEqual({ kind: 'proven', notification });
});

it.each<[string, object]>([
  ['customer.created', { id: 'cus_1' }],
  ['payment_intent.created', intent],
  ['charge.refunded', { ...charge, refunded: false }],
  ['charge.refunded', { ...charge, payment_intent: null }],
  ['refund.updated', { ...refund, status: 'on_its_way' }],
  ['refund.updated', { ...refund, status: null }],
])('%s may be proven and tell nothing', (type, object) => {
  const reading = reader()(received(event(type, object)));
  expect(reading).toEqual({ kind: 'proven', notification: { eventId: 'evt_1', type, told: null } });
});

it('a refund under the name of an undoing tells that the charge is undone', () => {
  const reference = providerReference('0192aa00-0000-7000-8000-000000000001', 'revert');
  const undoing = { ...refund, metadata: { resolute_reference: reference } };
  const reading = reader()(received(event('refund.updated', undoing)));
  const finding = { kind: 'reverted', providerId: 'pi_1' };
  expect(reading).toMatchObject({ notification: { told: { reference, finding } } });
});

it('the key of the request that an event answers is told', () => {
  const request = { id: 'req_1', idempotency_key: '0192aa-a1' };
  const reading = reader()(received(event('payment_intent.succeeded', intent, request)));
  expect(reading).toMatchObject({ notification: { told: { providerKey: '0192aa-a1' } } });
});

it("somebody else's charge is told without a reference of ours", () => {
  const reading = reader()(
    received(event('payment_intent.succeeded', { ...intent, metadata: {} })),
  );
  expect(reading).toMatchObject({ notification: { told: { reference: null } } });
});

it("krónur are told in the caller's unit", () => {
  const shown = { ...intent, amount: 500, currency: 'isk' };
  const reading = reader()(received(event('payment_intent.succeeded', shown)));
  expect(reading).toMatchObject({ notification: { told: { amount: 5, currency: 'ISK' } } });
});

const genuine = () => received(event('payment_intent.succeeded', intent));

it.each([
  ['without a signature', { body: genuine().body, headers: {} }],
  ['with a signature that is none', { ...genuine(), headers: { 'stripe-signature': 'v1=x' } }],
  ['with two', { ...genuine(), headers: { 'stripe-signature': ['a', 'b'] as never } }],
  ['signed by another', received(event('payment_intent.succeeded', intent), { secret: OLD })],
  ['six minutes old', received(event('payment_intent.succeeded', intent), { ageS: 360 })],
  ['of other bytes', { ...genuine(), body: Buffer.concat([genuine().body, Buffer.from(' ')]) }],
])('a notification %s proves nothing', (_title, given) => {
  expect(reader()(given)).toMatchObject({ kind: 'unproven' });
});

it.each([
  ['no JSON', 'hello'],
  ['a list', '[]'],
  ['null', 'null'],
  ['no id', JSON.stringify({ ...event('payment_intent.succeeded', intent), id: undefined })],
  ['no amount', JSON.stringify(event('payment_intent.succeeded', { ...intent, amount: '1000' }))],
  ['a charge that is none', JSON.stringify(event('charge.refunded', {}))],
  ['a refund that is none', JSON.stringify(event('refund.updated', {}))],
])('signed, and %s: malformed', (_title, text) => {
  expect(reader()(received(text))).toMatchObject({ kind: 'malformed' });
});

it('during a rotation either secret proves', () => {
  const read = reader(`${SECRET}, ${OLD}`);
  const old = received(event('payment_intent.succeeded', intent), { secret: OLD });
  expect([read(genuine()).kind, read(old).kind]).toEqual(['proven', 'proven']);
});

it('without a secret there is no reader, and a malformed one stops the start unseen', () => {
  expect(stripeNotifications(' ')).toBeNull();
  expect(() => stripeNotifications('sk_live_secret')).toThrow(ConfigurationError);
  expect(() => stripeNotifications('sk_live_secret')).not.toThrow(/live_secret/);
});
