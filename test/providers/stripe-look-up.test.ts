/**
 * The look-up finds by our reference what the list or Search shows, trusts no miss, and takes every
 * page or says that it did not.
 */
import { type Provider } from '../../providers/provider';
import { command, inquiry, permit, REFERENCE, stripeAt } from '../support/stripe-charge';
import {
  startStripeLike,
  stripeError,
  type StripeLike,
  type StripeObject,
} from '../support/stripe-like';

let server: StripeLike;
let provider: Provider;
beforeEach(async () => {
  server = await startStripeLike();
  provider = stripeAt(server.origin);
});
afterEach(async () => {
  await provider.close();
  await server.close();
});

const NOW_S = Math.floor(Date.now() / 1000);

function intent(id: string, change: Readonly<Record<string, unknown>> = {}): StripeObject {
  return {
    id,
    object: 'payment_intent',
    amount: 1000,
    amount_received: 1000,
    currency: 'eur',
    status: 'succeeded',
    created: NOW_S,
    metadata: { resolute_reference: REFERENCE },
    ...change,
  };
}

function fill(count: number): void {
  for (let index = 0; index < count; index += 1) {
    server.intents.push(intent(`pi_${9_000 + index}`, { metadata: {} }));
  }
}

const paths = () => server.arrived.map(({ path }) => path);

it('nothing there is a miss, after list and Search', async () => {
  expect(await provider.lookUp(command, inquiry())).toEqual({ kind: 'absent' });
  expect(paths()).toEqual(['/v1/payment_intents', '/v1/payment_intents/search']);
});

it('the list finds at once what Search does not know yet', async () => {
  server.searchLags = true;
  server.intents.push(intent('pi_1'));
  const finding = await provider.lookUp(command, inquiry());
  expect(finding).toEqual({ kind: 'applied', providerId: 'pi_1' });
  expect(paths()).toEqual(['/v1/payment_intents', '/v1/payment_intents/pi_1']);
});

it('Search finds what Stripe created long after the send, while reconciling', async () => {
  server.intents.push(intent('pi_1', { created: NOW_S + 7_200 }));
  const finding = await provider.lookUp(command, inquiry());
  expect(finding).toEqual({ kind: 'applied', providerId: 'pi_1' });
});

it('the list is paged to its end, also after a hit', async () => {
  server.intents.push(intent('pi_1'), intent('pi_99999'));
  fill(250);
  const finding = await provider.lookUp(command, inquiry());
  expect(finding).toEqual({ kind: 'conflict', what: '2 effects: pi_99999,pi_1', several: true });
  expect(paths().filter((path) => path === '/v1/payment_intents').length).toBe(3);
});

it('on a busy account the list is bounded, and a miss is not even a miss', async () => {
  server.searchLags = true;
  server.intents.push(intent('pi_1'));
  fill(1_000);
  const finding = await provider.lookUp(command, inquiry());
  const why = 'look-up: more than 1000 payments at that time';
  expect(finding).toEqual({ kind: 'unknown', why, frozen: false });
  expect(paths().filter((path) => path === '/v1/payment_intents').length).toBe(10);
  server.searchLags = false;
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'applied' });
});

it('a clock that differs by half a minute hides nothing', async () => {
  server.intents.push(intent('pi_1', { created: NOW_S - 35 }));
  server.searchLags = true;
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'applied' });
});

it.each<[string, object, object]>([
  ['another amount', { amount: 1 }, { kind: 'conflict' }],
  ['another currency', { currency: 'usd' }, { kind: 'conflict' }],
  ['processing', { status: 'processing' }, { kind: 'pending' }],
  ['a status that is new', { status: 'new' }, { kind: 'unknown' }],
])('a hit with %s', async (_title, change, finding) => {
  server.intents.push(intent('pi_1', { ...change }));
  expect(await provider.lookUp(command, inquiry())).toMatchObject(finding);
});

it('a decline beside a charge belongs to another request', async () => {
  const failure = { code: 'card_declined' };
  const no = intent('pi_1', { status: 'requires_payment_method', last_payment_error: failure });
  server.intents.push(no);
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'rejected' });
  server.intents.push(intent('pi_2'));
  const finding = await provider.lookUp(command, inquiry());
  expect(finding).toEqual({ kind: 'applied', providerId: 'pi_2' });
});

it.each<[string, number, string, string]>([
  ['a whole refund', 1000, 'succeeded', 'reverted'],
  ['a part of it', 400, 'succeeded', 'applied'],
  ['a refund under way', 1000, 'pending', 'applied'],
])('a charge with %s', async (...[, amount, status, kind]) => {
  server.intents.push(intent('pi_1'));
  const refund = { object: 'refund', currency: 'eur', payment_intent: 'pi_1', metadata: {} };
  server.refunds.push({ ...refund, id: 're_1', created: NOW_S, amount, status });
  expect(await provider.lookUp(command, inquiry())).toEqual({ kind, providerId: 'pi_1' });
});

it.each([
  ['answers an error', () => server.answers.set('/v1/payment_intents', { status: 500, json: {} })],
  ['never answers', () => server.silent.add('/v1/payment_intents')],
])('a list that %s does not hide what Search shows, and is no miss', async (_title, fail) => {
  fail();
  expect(await provider.lookUp(command, inquiry(1_500))).toMatchObject({ kind: 'unknown' });
  server.intents.push(intent('pi_1'));
  const finding = await provider.lookUp(command, inquiry(1_500));
  expect(finding).toEqual({ kind: 'applied', providerId: 'pi_1' });
});

it('a look-up that ran out of time says so', async () => {
  const finding = await provider.lookUp(command, inquiry(0));
  expect(finding).toMatchObject({ kind: 'unknown' });
});

it('a repeat after a 500 that took effect replays it as frozen; the look-up finds the charge', async () => {
  server.program(() => stripeError(500, { type: 'api_error' }), 'happens');
  expect(await provider.send(command, permit())).toMatchObject({ kind: 'unknown', frozen: true });
  expect(await provider.send(command, permit())).toMatchObject({ kind: 'unknown', frozen: true });
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'applied' });
  expect(server.intents.length).toBe(1);
});

it('a charge that was undone before refuses to be undone twice, and that proves nothing', async () => {
  await provider.send(command, permit());
  const revert = { ...permit(), providerId: 'pi_1', providerKey: '0192aa-r1' };
  const again = { ...revert, providerKey: '0192aa-r2' };
  expect(await provider.revert(command, revert)).toMatchObject({ kind: 'reverted' });
  expect(await provider.revert(command, again)).toMatchObject({ kind: 'unknown' });
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'reverted' });
  expect(server.refunds.length).toBe(1);
});
