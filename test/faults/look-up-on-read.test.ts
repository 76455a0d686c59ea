/**
 * Whoever reads an intent in doubt has its provider asked, where the contract calls that cheap: counted
 * in the provider's ledger, on a schedule so slow that every further question is a reader's.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type RunningStack, startStack } from '../../local/ready';
import { charge, exchange, type Reply } from '../support/intent-client';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const STACK_STARTS_MS = 120_000;
const ON_READ_MS = 1_500;
/** Asked at 0.1 s and past the proof time (2 s); then not for ten minutes. */
const SLOW = {
  send: { budget_ms: 1_000, horizon_ms: 300 },
  look_up: { lag_ms: 200, schedule_ms: [100, 600_000], on_read_ms: ON_READ_MS },
  patience_ms: 1_200_000,
};

let stack: RunningStack;
let directory: string;
let simulator: ReturnType<typeof simulatorClient>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolute-on-read-'));
  const dear = { ...SLOW, look_up: { ...SLOW.look_up, on_read_ms: null } };
  stack = await startStack({
    dataDirectory: directory,
    contract: { 'sim-full': SLOW, 'sim-lookup': dear },
  });
  simulator = simulatorClient(stack.ready.simulator_admin);
}, STACK_STARTS_MS);

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}, STACK_STARTS_MS);

const token = (): string => stack.ready.tenants.acme.token;

function read(id: string): Promise<Reply> {
  return exchange(`${stack.ready.api}/v1/intents/${id}`, { token: token() });
}

/** When its provider was asked, by the provider's own book. */
async function questions(source: string): Promise<readonly number[]> {
  const { calls } = await simulator.ledger(source);
  return calls.filter(({ call }) => call === 'query').map(({ at }) => Date.parse(at));
}

/** A charge that landed, its answer lost, both scheduled questions unanswered. Nobody has read it. */
async function inDoubt(provider: string): Promise<{ id: string; source: string }> {
  const source = `card_read_${provider}_${Date.now()}`;
  await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await simulator.programme({ on: 'query', do: 'timeout', times: 'always', match: { source } });
  const { body } = await charge(
    stack.ready.api,
    { reference: source, source, provider },
    { token: token(), key: source, wait: 0 },
  );
  const id = String(body['id']);
  await until('both scheduled look-ups came to nothing', async () => {
    // The explanation is no read that asks.
    const { body: explained } = await exchange(`${stack.ready.api}/v1/intents/${id}/explanation`, {
      token: token(),
    });
    const seen = explained['observations'] as readonly { readonly source: string }[];
    return seen.filter((one) => one.source === 'look_up').length === 2 || undefined;
  });
  return { id, source };
}

test('fifty readers at once have the provider asked once, and that ends the doubt', async () => {
  const { id, source } = await inDoubt('sim-full');
  await simulator.forgetFaults();
  const [last = 0] = (await questions(source)).slice(-1);
  await until('the contract’s time for readers has passed', () =>
    Promise.resolve(Date.now() - last > ON_READ_MS + 200 || undefined),
  );
  const replies = await Promise.all(Array.from({ length: 50 }, () => read(id)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  await until(
    'it succeeded',
    async () => (await read(id)).body['status'] === 'succeeded' || undefined,
  );
  expect(await questions(source)).toHaveLength(3);
  const { effects, calls } = await simulator.ledger(source);
  expect([effects.length, calls.filter(({ call }) => call === 'charge').length]).toEqual([1, 1]);
}, 60_000);

test('who reads in a loop has a silent provider asked at most once in the contract’s time', async () => {
  const { id, source } = await inDoubt('sim-full');
  const asked = await until(
    'three questions of readers',
    async () => {
      await read(id);
      const times = await questions(source);
      return times.length >= 5 ? times : undefined;
    },
    60_000,
  );
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  // The first pause is the schedule's; of the others the dates are the database's, to a few milliseconds.
  for (const pause of pauses.slice(1)) expect(pause).toBeGreaterThanOrEqual(ON_READ_MS - 50);
  expect((await read(id)).body['status']).toBe('unknown');
}, 90_000);

test('the reader does not wait for Temporal', async () => {
  const { id } = await inDoubt('sim-full');
  const { temporal } = stack.ready.pids;
  process.kill(temporal, 'SIGSTOP');
  try {
    const started = performance.now();
    expect((await read(id)).body['status']).toBe('unknown');
    // The signal itself is given two seconds.
    expect(performance.now() - started).toBeLessThan(1_500);
  } finally {
    process.kill(temporal, 'SIGCONT');
  }
}, 60_000);

test('where look-ups are not cheap readers cause none, and tell the run of nothing', async () => {
  const { id, source } = await inDoubt('sim-lookup');
  for (let index = 0; index < 20; index += 1) await read(id);
  expect(await eventsOf(id)).not.toContain('workflowExecutionSignaledEventAttributes');
  expect(await questions(source)).toHaveLength(2);
}, 60_000);

test('reading what has ended costs its run nothing', async () => {
  const source = `card_read_ended_${Date.now()}`;
  const { status, body } = await charge(
    stack.ready.api,
    { reference: source, source, provider: 'sim-full' },
    { token: token(), key: source },
  );
  expect(status).toBe(201);
  const id = String(body['id']);
  for (let index = 0; index < 20; index += 1) await read(id);
  expect(await eventsOf(id)).toHaveLength(11);
  expect(await questions(source)).toEqual([]);
}, 60_000);

/** The kinds of events in the history of its run. */
async function eventsOf(id: string): Promise<readonly string[]> {
  const { body } = await read(id);
  const { desk } = body['links'] as { readonly desk: string };
  const connection = await Connection.connect({ address: stack.ready.temporal.address });
  try {
    const { workflow } = new Client({ connection });
    const { events } = await workflow.getHandle(desk.split('/').at(-1) ?? '').fetchHistory();
    return (events ?? []).map(({ attributes }) => attributes ?? '');
  } finally {
    await connection.close();
  }
}
