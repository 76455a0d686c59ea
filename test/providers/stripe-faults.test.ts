/**
 * One permit is one request, whatever the network does: requests and effects are counted at a server
 * behind a proxy that breaks connections. The SDK's own HTTP client is the negative control.
 */
import Stripe from 'stripe';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy';
import { command, inquiry, permit, stripeAt } from '../support/stripe-charge';
import { startStripeLike, type StripeLike } from '../support/stripe-like';

let server: StripeLike;
let proxy: FaultProxy;
beforeEach(async () => {
  server = await startStripeLike();
  proxy = await startFaultProxy(server.port);
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

async function sendThrough(fault: Fault, budgetMs = 1_000) {
  proxy.fault = fault;
  const provider = stripeAt(proxy.origin);
  try {
    return await provider.send(command, permit(budgetMs));
  } finally {
    await provider.close();
  }
}

it('without a fault one send is one request and one effect', async () => {
  expect(await sendThrough('pass')).toEqual({ kind: 'applied', providerId: 'pi_1' });
  expect([proxy.connections, server.arrived.length, server.intents.length]).toEqual([1, 1, 1]);
});

it.each<[Fault, number]>([
  ['reset-before-request', 0],
  ['reset-after-request', 1],
  ['half-answer', 1],
  ['black-hole', 0],
  ['silent-answer', 1],
])('after %s nothing is known, and nothing is sent again (%i effects)', async (fault, effects) => {
  // A repeat by the SDK would be a part of the send: when that is over, so is everything.
  expect(await sendThrough(fault)).toMatchObject({ kind: 'unknown', frozen: false });
  expect([proxy.connections, server.arrived.length]).toEqual([1, effects]);
  expect(server.intents.length).toBe(effects);
});

it("control: the SDK's own client sends twice after a reset, retries switched off", async () => {
  proxy.fault = 'reset-after-request';
  const port = new URL(proxy.origin).port;
  const stripe = new Stripe('sk_test_123', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const created = stripe.paymentIntents.create({ amount: 1000, currency: 'eur' });
  await expect(created).rejects.toThrow(/connection/);
  expect(server.arrived.length).toBe(2);
});

it('the deadline holds over the whole call', async () => {
  const begun = performance.now();
  expect(await sendThrough('silent-answer', 300)).toMatchObject({ why: 'no answer in time' });
  expect(performance.now() - begun).toBeLessThan(1_000);
});

it('a permit that has run out sends nothing (INV-2)', async () => {
  expect(await sendThrough('pass', 0)).toMatchObject({ kind: 'not_sent' });
  expect([proxy.connections, server.arrived.length]).toEqual([0, 0]);
});

it('a closed port proves that no byte left', async () => {
  await proxy.close();
  expect(await sendThrough('pass')).toMatchObject({ kind: 'not_sent' });
  expect(server.arrived.length).toBe(0);
});

it('every send has a connection of its own, so that none dies of a kept one', async () => {
  const provider = stripeAt(proxy.origin);
  await provider.send(command, permit());
  await provider.send(command, { ...permit(), providerKey: 'another' });
  await provider.close();
  expect([proxy.connections, server.arrived.length]).toEqual([2, 2]);
});

it('the effect behind a lost answer is found, and the repeat under its key has no other', async () => {
  await sendThrough('reset-after-request');
  proxy.fault = 'pass';
  const provider = stripeAt(proxy.origin);
  expect(await provider.lookUp(command, inquiry())).toEqual({
    kind: 'applied',
    providerId: 'pi_1',
  });
  expect(await provider.send(command, permit())).toEqual({ kind: 'applied', providerId: 'pi_1' });
  await provider.close();
  expect(server.intents.length).toBe(1);
});

it('an undoing whose answer is lost is one request, and shows in the look-up', async () => {
  await sendThrough('pass');
  proxy.fault = 'reset-after-request';
  const provider = stripeAt(proxy.origin);
  const revert = { ...permit(), providerKey: '0192aa-r1', providerId: 'pi_1' };
  expect(await provider.revert(command, revert)).toMatchObject({ kind: 'unknown' });
  proxy.fault = 'pass';
  expect(server.refunds.length).toBe(1);
  expect(await provider.lookUp(command, inquiry())).toEqual({
    kind: 'reverted',
    providerId: 'pi_1',
  });
  await provider.close();
});
