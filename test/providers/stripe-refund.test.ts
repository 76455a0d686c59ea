/**
 * Refunds at Stripe: one permit is one request and one refund, whatever the network does, and the
 * look-up finds by our reference what became of it. The server's refunds are the oracle.
 */
import { type RefundCommand } from '../../domain/command';
import { type Provider } from '../../providers/provider';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy';
import { command, inquiry, permit, REFERENCE, stripeAt } from '../support/stripe-charge';
import { startStripeLike, stripeError, type StripeLike } from '../support/stripe-like';

const PART: RefundCommand = { kind: 'refund', amount: 700, currency: 'EUR', charge: 'pi_1' };
const REFUND = 'rs-0192bb-a';
const toRefund = (key = '0192bb-a1') => ({ ...permit(), providerKey: key, reference: REFUND });
const about = (reference = REFUND) => ({ ...inquiry(), reference });

let server: StripeLike;
let proxy: FaultProxy;
let provider: Provider;
beforeEach(async () => {
  server = await startStripeLike();
  proxy = await startFaultProxy(server.port);
  provider = stripeAt(proxy.origin);
  await provider.send(command, permit());
});
afterEach(async () => {
  await provider.close();
  await proxy.close();
  await server.close();
});

const asked = () => server.arrived.filter((one) => one.path === '/v1/refunds');
const sent = () => asked().filter((one) => one.method === 'POST');

it('it names the charge, its amount, our reference and our key, and nothing else', async () => {
  expect(await provider.send(PART, toRefund())).toEqual({ kind: 'applied', providerId: 're_1' });
  expect(sent().map(({ form }) => Object.fromEntries(form))).toEqual([
    { payment_intent: 'pi_1', amount: '700', 'metadata[resolute_reference]': REFUND },
  ]);
  expect(sent()[0]?.headers['idempotency-key']).toBe('0192bb-a1');
});

it('krónur go back in hundredths, as they came', async () => {
  await provider.send(
    { ...command, currency: 'ISK', amount: 7 },
    { ...permit(), providerKey: 'k' },
  );
  const isk: RefundCommand = { ...PART, amount: 7, currency: 'ISK', charge: 'pi_2' };
  expect(await provider.send(isk, toRefund())).toMatchObject({ kind: 'applied' });
  expect(server.refunds).toMatchObject([{ amount: 700, currency: 'isk' }]);
});

it.each<[Fault, number]>([
  ['reset-before-request', 0],
  ['reset-after-request', 1],
  ['half-answer', 1],
  ['silent-answer', 1],
])(
  'after %s nothing is known, nothing is sent again (%i refunds), and it is found',
  async (...[fault, refunds]) => {
    proxy.fault = fault;
    const lost = { ...toRefund(), deadline: performance.now() + 1_000 };
    expect(await provider.send(PART, lost)).toMatchObject({ kind: 'unknown', frozen: false });
    expect([sent().length, server.refunds.length]).toEqual([refunds, refunds]);
    proxy.fault = 'pass';
    expect((await provider.lookUp(PART, about())).kind).toBe(refunds === 1 ? 'applied' : 'absent');
    expect(await provider.send(PART, toRefund())).toEqual({ kind: 'applied', providerId: 're_1' });
    expect(server.refunds.length).toBe(1);
  },
);

it('more than is left is refused, and what is left already may be the trace of an earlier one', async () => {
  await provider.send(PART, toRefund());
  const more = { ...PART, amount: 301 };
  expect(await provider.send(more, toRefund('b'))).toMatchObject({ kind: 'rejected' });
  await provider.send({ ...PART, amount: 300 }, toRefund('c'));
  expect(await provider.send({ ...PART, amount: 1 }, toRefund('d'))).toMatchObject({
    kind: 'unknown',
    why: 'answer 400 (charge_already_refunded)',
  });
  expect(server.refunds.length).toBe(2);
});

it.each<[string, object, object]>([
  ['there', {}, { kind: 'applied', providerId: 're_1' }],
  ['under way', { status: 'pending' }, { kind: 'pending', providerId: 're_1' }],
  [
    'failed',
    { status: 'failed', failure_reason: 'unknown' },
    { kind: 'rejected', code: 'unknown' },
  ],
  ['canceled', { status: 'canceled' }, { kind: 'rejected', code: 'canceled' }],
  ['of another amount', { amount: 699 }, { kind: 'conflict' }],
  ['of another currency', { currency: 'usd' }, { kind: 'conflict' }],
  ['unreadable', { amount: '700' }, { kind: 'unknown' }],
  ['somebody else’s', { metadata: {} }, { kind: 'absent' }],
  [
    'the undoing of the charge',
    { metadata: { resolute_reference: REFERENCE } },
    { kind: 'absent' },
  ],
])('a look-up that finds one %s', async (_title, change, finding) => {
  await provider.send(PART, toRefund());
  const [refund] = server.refunds;
  if (refund === undefined) throw new Error('no refund');
  server.refunds.splice(0, 1, { ...refund, ...change });
  expect(await provider.lookUp(PART, about())).toMatchObject(finding);
});

it('a look-up takes every page, and two under one reference are a conflict', async () => {
  await provider.send(PART, toRefund());
  const [refund] = server.refunds;
  if (refund === undefined) throw new Error('no refund');
  for (let number = 2; number <= 240; number += 1) {
    server.refunds.push({ ...refund, id: `re_${number}`, metadata: {} });
  }
  expect(await provider.lookUp(PART, about())).toEqual({ kind: 'applied', providerId: 're_1' });
  expect(asked().filter((one) => one.method === 'GET').length).toBe(3);
  server.refunds.push({ ...refund, id: 're_241' });
  expect(await provider.lookUp(PART, about())).toMatchObject({ kind: 'conflict' });
});

it('a saved 500 that gave money back is replayed as frozen; the look-up finds it', async () => {
  server.program(() => stripeError(500, { type: 'api_error' }), 'happens');
  expect(await provider.send(PART, toRefund())).toMatchObject({ kind: 'unknown', frozen: true });
  expect(await provider.lookUp(PART, about())).toMatchObject({ kind: 'applied' });
});

it('refunds in parts leave the charge applied until nothing is left: then it shows as undone', async () => {
  await provider.send(PART, toRefund());
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'applied' });
  await provider.send({ ...PART, amount: 300 }, toRefund('b'));
  expect(await provider.lookUp(command, inquiry())).toMatchObject({ kind: 'reverted' });
});

it('a refund cannot be undone', async () => {
  await expect(provider.revert(PART, { ...permit(), providerId: 're_1' })).rejects.toThrow(
    /undone/,
  );
});
