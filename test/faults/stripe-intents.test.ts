/**
 * Charges through the whole engine on Stripe's contract: real API, worker, Temporal and PostgreSQL,
 * against a server that answers as Stripe documents it, behind a proxy that breaks connections. The
 * server's effects are the oracle.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { providerReference } from '../../domain/identity';
import { type RunningStack, startStack } from '../../local/ready';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy';
import { charge, exchange, refund } from '../support/intent-client';
import { startStripeLike, stripeError, type StripeLike } from '../support/stripe-like';
import { until } from '../support/until';

let server: StripeLike;
let proxy: FaultProxy;
let stack: RunningStack;
const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-stripe-'));

beforeAll(async () => {
  server = await startStripeLike();
  proxy = await startFaultProxy(server.port);
  stack = await startStack({
    dataDirectory,
    environment: {
      STRIPE_API_KEY: 'sk_test_123',
      STRIPE_ACCOUNT: 'acct_123',
      STRIPE_API_BASE: proxy.origin,
    },
  });
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await proxy.close();
  await server.close();
  rmSync(dataDirectory, { recursive: true, force: true });
}, 60_000);
beforeEach(() => {
  proxy.fault = 'pass';
});

function pay(reference: string, wait = 30) {
  const { api, tenants } = stack.ready;
  const body = { amount: 1000, currency: 'EUR', source: 'pm_card_visa', reference };
  const options = { token: tenants.acme.token, key: reference, wait };
  return charge(api, { ...body, provider: 'stripe' }, options);
}

function creations(): number {
  return server.arrived.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/payment_intents',
  ).length;
}

/** What happened at the server since `before` creations and effects. */
function since(before: { readonly sent: number; readonly effects: number }) {
  return { sent: creations() - before.sent, effects: server.intents.length - before.effects };
}

const here = () => ({ sent: creations(), effects: server.intents.length });

it('a charge is one request and one effect', async () => {
  const before = here();
  const { status, body } = await pay('stripe-plain');
  expect([status, body['status'], body['provider_id']]).toEqual([201, 'succeeded', 'pi_1']);
  expect(since(before)).toEqual({ sent: 1, effects: 1 });
});

it('a decline is told as one, and never tried again', async () => {
  const before = here();
  const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };
  server.program(() => stripeError(402, error));
  const { status, body } = await pay('stripe-declined');
  expect(status).toBe(402);
  expect(JSON.stringify(body)).toContain('insufficient_funds');
  expect(since(before)).toEqual({ sent: 1, effects: 0 });
});

it('an answer lost after the effect is found by the list; nothing is sent again', async () => {
  const before = here();
  proxy.fault = 'reset-after-request';
  const first = pay('stripe-lost', 1);
  await until('it is sent', () => since(before).sent === 1 || undefined);
  await first;
  proxy.fault = 'pass';
  const { status } = await pay('stripe-lost');
  expect(status).toBe(201);
  expect(since(before)).toEqual({ sent: 1, effects: 1 });
});

it('a request lost before the effect is repeated under its key, after a look-up', async () => {
  const before = here();
  proxy.fault = 'reset-before-request';
  const connections = proxy.connections;
  const first = pay('stripe-never-arrived', 1);
  await until('it is lost', () => proxy.connections > connections || undefined);
  await first;
  proxy.fault = 'pass';
  const { status } = await pay('stripe-never-arrived');
  expect(status).toBe(201);
  expect(since(before)).toEqual({ sent: 1, effects: 1 });
});

it('a saved 500 is not repeated: the look-up finds what it did', async () => {
  const before = here();
  server.program(() => stripeError(500, { type: 'api_error' }), 'happens');
  const { status } = await pay('stripe-500');
  expect(status).toBe(201);
  expect(since(before)).toEqual({ sent: 1, effects: 1 });
});

it('a rate limit is waited out', async () => {
  const before = here();
  server.program(() => ({ ...stripeError(429, {}), headers: { 'retry-after': '1' } }));
  const { status, body } = await pay('stripe-limited');
  expect([status, body['attempts']]).toEqual([201, 2]);
  expect(since(before)).toEqual({ sent: 2, effects: 1 });
});

it('a cancel while the answer is lost undoes what is found', async () => {
  const { api, tenants } = stack.ready;
  proxy.fault = 'silent-answer';
  const before = here();
  const { body } = await pay('stripe-canceled', 1);
  await until('it is sent', () => since(before).sent === 1 || undefined);
  const url = `${api}/v1/intents/${String(body['id'])}/cancel`;
  const answer = await exchange(url, { method: 'POST', token: tenants.acme.token });
  expect(answer.status).toBe(202);
  proxy.fault = 'pass';
  await until('it is undone', () => server.refunds.length === 1 || undefined);
  expect(server.refunds).toMatchObject([{ amount: 1000, status: 'succeeded' }]);
  expect(since(before)).toEqual({ sent: 1, effects: 1 });
});

function giveBack(body: { charge: string; amount: number; reference: string }, wait = 30) {
  const { api, tenants } = stack.ready;
  return refund(api, body, { token: tenants.acme.token, key: body.reference, wait });
}

it('a refund whose answer is lost is found, given once, and leaves the charge as it ended', async () => {
  const paid = await pay('stripe-refunded');
  const id = String(paid.body['id']);
  const all = { charge: id, amount: 1000, reference: 'stripe-return' };
  const { length } = server.refunds;
  proxy.fault = 'reset-after-request';
  const first = giveBack(all, 1);
  await until('it is sent', () => server.refunds.length > length || undefined);
  await first;
  proxy.fault = 'pass';
  const { status, body } = await giveBack(all);
  expect([status, body['status']]).toEqual([201, 'succeeded']);
  expect(server.refunds.slice(length)).toMatchObject([
    { id: body['provider_id'], amount: 1000, payment_intent: paid.body['provider_id'] },
  ]);
  expect((await giveBack({ charge: id, amount: 1, reference: 'stripe-more' })).status).toBe(409);
  const { api, tenants } = stack.ready;
  const now = await exchange(`${api}/v1/intents/${id}`, { token: tenants.acme.token });
  expect(now.body).toMatchObject({ status: 'succeeded', discrepancy: null });
});

it('what Stripe lists behind our back is found: of a failed intent, and of none that we know', async () => {
  server.program(() => stripeError(402, { type: 'card_error', code: 'card_declined' }));
  const { body } = await pay('stripe-listed');
  const failed = ((body['intent'] ?? {}) as { readonly id?: string }).id ?? '';
  const nobody = randomUUID();
  // Older than a minute: listings are read up to Stripe's lag.
  const created = Math.floor(Date.now() / 1_000) - 90;
  const behind = (id: string, of: string) => ({
    id,
    object: 'payment_intent',
    amount: 1000,
    amount_received: 1000,
    currency: 'eur',
    status: 'succeeded',
    created,
    metadata: { resolute_reference: providerReference(of, 'apply') },
  });
  server.intents.push(behind('pi_7001', failed), behind('pi_7002', nobody));

  const connection = await Connection.connect({ address: stack.ready.temporal.address });
  const db = new pg.Client({ connectionString: stack.ready.database });
  await db.connect();
  try {
    const { workflow } = new Client({ connection });
    await workflow.getHandle('resolute.reconciler.stripe').signal('reconcileNow');
    const orphans = await until('the orphan is kept', async () => {
      const { rows } = await db.query('select provider, provider_id, about from orphan_effects');
      return rows.length > 0 ? rows : undefined;
    });
    expect(orphans).toEqual([{ provider: 'stripe', provider_id: 'pi_7002', about: nobody }]);
  } finally {
    await db.end();
    await connection.close();
  }
  const { api, tenants } = stack.ready;
  const intent = await until('the discrepancy is open', async () => {
    const { body: now } = await exchange(`${api}/v1/intents/${failed}`, tenants.acme);
    return now['discrepancy'] === null ? undefined : now;
  });
  expect(intent).toMatchObject({
    status: 'failed',
    discrepancy: { since: expect.any(String) as string },
  });
});
