// What survives: a real process, a real SIGKILL, the same data directory again.

import { compileSimulator, SimulatorProcess } from './simulator-process';
import {
  aCharge,
  type Client,
  environment,
  eventually,
  freshDirectory,
  type Json,
} from './simulator-under-test';

let main: string;
let dataDir: string;
let running: SimulatorProcess;
let client: Client;

beforeAll(() => {
  main = compileSimulator();
});
beforeEach(async () => {
  dataDir = freshDirectory();
  await start();
});
afterEach(async () => {
  await client.close();
  await running.stop('SIGKILL');
});

async function start(): Promise<void> {
  running = new SimulatorProcess(main, environment({ dataDir }));
  client = await running.listening();
}

async function restart(): Promise<void> {
  await client.close();
  await running.stop('SIGKILL');
  await start();
}

test('keeps ledger, keys, programme, forgetfulness and settings across SIGKILL', async () => {
  await client.post('/full/v1/charges', { key: 'before the reset', body: aCharge() });
  await client.administer('POST', 'reset');
  const body = aCharge();
  const first = await client.post('/full/v1/charges', { key: 'k', body });
  await client.post('/full/v1/refunds', {
    body: { charge: first.body['id'], amount: 300, reference: 'r' },
  });
  await client.programme({ on: 'charge', do: 'forget-keys', match: { provider: 'sim-key' } });
  await client.post('/key/v1/charges', { key: 'forgotten', body });
  await client.programme({ on: 'charge', do: 'http-429', times: 3, match: { amount: 1 } });
  await client.post('/full/v1/charges', { body: { ...body, amount: 1 } });
  await client.administer('PUT', 'settings', { latency_ms: 5, notify: 'on' });
  const ledger = await client.ledger();
  const faults = (await client.administer('GET', 'faults')).body;

  await restart();
  expect(await client.ledger()).toEqual(ledger);
  expect(ledger.effects.map(({ key }) => key)).toEqual(['k', null, 'forgotten']);
  expect((await client.administer('GET', 'faults')).body).toEqual(faults);
  expect(faults['faults']).toMatchObject([{ do: 'http-429', times: 2 }]);
  const { body: settings } = await client.administer('GET', 'settings');
  expect(settings).toEqual({ latency_ms: 5, notify: 'on', listening: true });

  const replay = await client.post('/full/v1/charges', { key: 'k', body });
  expect(replay.body).toEqual(first.body);
  expect(replay.headers['idempotent-replayed']).toBe('true');
  const tooMuch = { charge: first.body['id'], amount: 701, reference: 'r2' };
  expect((await client.post('/full/v1/refunds', { body: tooMuch })).status).toBe(400);
  await client.post('/key/v1/charges', { key: 'forgotten', body });
  expect((await client.ledger('?key=forgotten')).effects).toHaveLength(2);
});

/** A delay that outlasts `what` at the present speed of the machine, in milliseconds. */
async function longerThan(what: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await what();
  return Math.ceil(300 + 3 * (performance.now() - startedMs));
}

test('lands what fell due while the process was dead, once', async () => {
  const body = aCharge();
  const delay_ms = await longerThan(async () => {
    for (let call = 0; call < 6; call += 1) await client.ledger();
  });
  await client.programme({ on: 'charge', do: 'late-effect', delay_ms });
  await client.programme({ on: 'charge', do: 'slow', delay_ms });
  const late = await client.post('/full/v1/charges', { key: 'late-effect', body });
  const slow = client.post('/full/v1/charges', { key: 'slow', body });
  await client.onRecord('', 2);
  const allDueMs = Date.now() + delay_ms;
  expect((await client.ledger()).effects).toEqual([]);
  await running.stop('SIGKILL');
  expect([late.status, (await slow).status]).toEqual([504, 'closed']);
  await eventually(
    () => Promise.resolve(Date.now()),
    (nowMs) => nowMs > allDueMs,
  );
  await restart();
  const { effects } = await client.ledger();
  expect(effects.map(({ key, status }) => [key, status])).toEqual([
    ['late-effect', 'succeeded'],
    ['slow', 'succeeded'],
  ]);
  const repeat = await client.post('/full/v1/charges', { key: 'slow', body });
  expect(repeat.headers['idempotent-replayed']).toBe('true');
  await restart();
  expect((await client.ledger()).effects).toHaveLength(2);
});

test('goes on waiting for a late effect that is not due yet', async () => {
  const delay_ms = await longerThan(restart);
  await client.programme({ on: 'charge', do: 'late-effect', delay_ms });
  await client.post('/full/v1/charges', { key: 'late', body: aCharge() });
  await restart();
  expect((await client.ledger('?key=late')).effects).toEqual([]);
  const { effects, calls } = await eventually(
    () => client.ledger('?key=late'),
    (ledger) => ledger.effects.length === 1,
  );
  const tookMs =
    Date.parse(String(effects[0]?.['created_at'])) - Date.parse(String(calls[0]?.['at']));
  expect(tookMs).toBeGreaterThanOrEqual(delay_ms);
});

test('every charge that was answered is in the ledger after SIGKILL in full flight', async () => {
  const answered: string[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const { status, body } = await client.post('/lookup/v1/charges', { body: aCharge() });
      if (status !== 201) return;
      answered.push(String(body['id']));
    }
  };
  const senders = Array.from({ length: 8 }, send);
  await eventually(
    () => Promise.resolve(answered.length),
    (count) => count >= 200,
  );
  await running.stop('SIGKILL');
  await Promise.all(senders);
  await restart();
  const ids = new Set((await client.ledger()).effects.map((effect) => effect['id']));
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
});

test.each([
  ['SIGTERM', ['SIGTERM'] as const],
  ['SIGINT and SIGTERM together', ['SIGINT', 'SIGTERM'] as const],
])('%s: ends within 2 s and with 0 although calls hang', async (_name, signals) => {
  await client.programme({ on: 'charge', do: 'hang' });
  await client.programme({ on: 'charge', do: 'slow', delay_ms: 30_000 });
  const calls = [1, 2].map(() => client.post('/full/v1/charges', { body: aCharge() }));
  await client.onRecord('', 2);
  const startedMs = Date.now();
  expect(await running.stop(...signals)).toBe(0);
  expect(Date.now() - startedMs).toBeLessThan(2000);
  expect((await Promise.all(calls)).map((seen) => seen.status)).toEqual(
    Array(2).fill(expect.stringMatching(/closed|reset/)),
  );
  const lines = running.stdout.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as Json)['msg'])).toEqual(['listening', 'stopped']);
  expect(running.stderr).toBe('');
});
