/** The gateway while PostgreSQL or Temporal is away, when it ends, and when it must not start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DIST } from '../../local/project-root';
import { readReady, type RunningStack, startStack } from '../../local/ready';
import { charge, exchange, refund, type Reply } from '../support/intent-client';
import { QUICK_CONTRACTS } from '../support/quick-contracts';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';
import { own } from '../support/own-child';

const STACK_STARTS_MS = 120_000;

let stack: RunningStack;
let directory: string;
let token: string;
let api: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolute-outages-'));
  stack = await startStack({ dataDirectory: directory, contract: QUICK_CONTRACTS });
  token = stack.ready.tenants.acme.token;
  ({ api } = stack.ready);
}, STACK_STARTS_MS);

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}, STACK_STARTS_MS);

/** The pid of a child now: a killed one gets another. */
const pidOf = (name: 'postgres' | 'temporal' | 'api'): number =>
  readReady(directory)?.pids[name] ?? 0;

/** Waits for a gateway to answer well; one that is not there yet does not. */
function untilOk(url: string): Promise<true> {
  return until(url, () =>
    fetch(url).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
}

test('B22: a dead store is 503 at once, never 500, and the same key works when it is back', async () => {
  process.kill(pidOf('postgres'), 'SIGKILL');
  const started = performance.now();
  const refused = await charge(api, { reference: 'outage' }, { token, key: 'outage' });
  expect(performance.now() - started).toBeLessThan(2_000);
  // The supervisor may have been faster than we.
  if (refused.status !== 201) {
    expect([refused.status, refused.problem]).toEqual([503, 'store-unavailable']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  }
  await untilOk(`${api}/readyz`);
  const accepted = await charge(api, { reference: 'outage' }, { token, key: 'outage', wait: 30 });
  expect(accepted.status).toBe(201);
});

/** The listening process and every session of the gateway stand still: nothing answers or is closed. */
async function whileStoreIsFrozen(work: () => Promise<void>): Promise<void> {
  await untilOk(`${api}/readyz`);
  const pids = [pidOf('postgres'), ...(await sessions('resolute-api'))];
  pids.forEach((pid) => process.kill(pid, 'SIGSTOP'));
  try {
    await work();
  } finally {
    pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
  }
  await untilOk(`${api}/readyz`);
}

test('B93: a frozen store is 503 in less than two seconds', async () => {
  await whileStoreIsFrozen(async () => {
    const started = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => exchange(`${api}/v1/intents`, { token })),
    );
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(replies.map(({ status, problem }) => [status, problem])).toEqual(
      replies.map(() => [503, 'store-unavailable']),
    );
  });
});

test('B22, INV-13: a POST to a frozen store is 503 in time, calls no provider, and succeeds afterwards', async () => {
  const simulator = simulatorClient(stack.ready.simulator_admin);
  const charged = await charge(api, { reference: 'before' }, { token, key: 'before' });
  expect(charged.status).toBe(201);
  const requests: readonly (() => Promise<Reply>)[] = [
    ...Array.from({ length: 100 }, (_, index) => () => {
      const name = `frozen-${index}`;
      return charge(api, { reference: name, source: 'card_frozen' }, { token, key: name });
    }),
    () => {
      const body = { charge: String(charged.body['id']), amount: 1, reference: 'frozen' };
      return refund(api, body, { token, key: 'frozen' });
    },
    () =>
      exchange(`${api}/v1/intents/message.send`, {
        token,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'frozen' },
        body: JSON.stringify({
          ...{ to: 'card_frozen', text: 'x', reference: 'frozen', provider: 'sim-mail' },
        }),
      }),
  ];
  await whileStoreIsFrozen(async () => {
    const started = performance.now();
    const replies = await Promise.all(requests.map((send) => send()));
    expect(performance.now() - started).toBeLessThan(2_000);
    const told = replies.map(({ status, headers }) => [status, headers.get('retry-after')]);
    expect(told).toEqual(requests.map(() => [503, '1']));
    expect((await simulator.ledger('card_frozen')).calls).toEqual([]);
  });
  const replies = await Promise.all(requests.map((send) => send()));
  const told = replies.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]);
  expect(told).toEqual(requests.map(() => [201, null]));
  expect((await simulator.ledger('card_frozen')).effects).toHaveLength(requests.length - 1);
}, 60_000);

test('a waiting caller is answered although the notice found nobody listening', async () => {
  await simulatorClient(stack.ready.simulator_admin).programme({
    on: 'charge',
    do: 'slow',
    delay_ms: 800,
    match: { source: 'card_gap' },
  });
  const body = { reference: 'gap', source: 'card_gap' };
  const started = performance.now();
  const waiting = charge(api, body, { token, key: 'gap', wait: 30 });
  await until('the intent is settled', async () => {
    for (const pid of await sessions('resolute-listener')) process.kill(pid, 'SIGTERM');
    const { body: page } = await exchange(`${api}/v1/intents?reference=gap`, { token });
    const [intent] = page['data'] as { status: string }[];
    return intent?.status === 'succeeded' || undefined;
  });
  expect((await waiting).status).toBe(201);
  expect(performance.now() - started).toBeLessThan(15_000);
});

/** Process ids of the gateway's sessions in PostgreSQL. */
async function sessions(application: string): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: stack.ready.database });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where usename = 'resolute_api' and application_name = $1",
      [application],
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}

test('B108: while Temporal is frozen intents are accepted, and settled when it is back', async () => {
  await untilOk(`${api}/readyz`);
  const pid = pidOf('temporal');
  process.kill(pid, 'SIGSTOP');
  try {
    const ready = await fetch(`${api}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { store: 'reachable', temporal: 'unreachable' },
    ]);
    const reply = await charge(api, { reference: 'frozen' }, { token, key: 'frozen', wait: 0 });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      status: 'accepted',
      reason: expect.stringContaining('cannot be reached') as string,
      verdict: { new_key: 'forbidden' },
    });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const settled = async (): Promise<true | undefined> => {
    const reply = await charge(api, { reference: 'frozen' }, { token, key: 'frozen', wait: 10 });
    return reply.status === 201 || undefined;
  };
  await until('the auditor starts it', settled, 75_000);
}, 100_000);

describe('a gateway of its own', () => {
  interface Started {
    readonly child: ChildProcess;
    readonly exit: Promise<number | null>;
    readonly stderr: () => string;
  }

  async function start(changes: Readonly<Record<string, string>>): Promise<Started> {
    const credentials = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')) as {
      passwords: { api: string };
      keyDigestSecret: string;
    };
    const database = new URL(stack.ready.database);
    database.username = 'resolute_api';
    database.password = credentials.passwords.api;
    const child = own(
      spawn(process.execPath, [join(DIST, 'api', 'main.js')], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: database.href,
          RESOLUTE_KEY_DIGEST_SECRET: credentials.keyDigestSecret,
          RESOLUTE_SIMULATOR_URL: stack.ready.simulator,
          TEMPORAL_ADDRESS: stack.ready.temporal.address,
          ...changes,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, exit, stderr: () => stderr };
  }

  /** A port that was free a moment ago. */
  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  test('told to end answers those who wait, and exits 0 soon', async () => {
    await simulatorClient(stack.ready.simulator_admin).programme({
      on: 'charge',
      do: 'slow',
      delay_ms: 800,
      match: { source: 'card_slow' },
    });
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const { child, exit } = await start({ PORT: String(port) });
    await untilOk(`${own}/readyz`);
    const waiting = charge(
      own,
      { reference: 'ending', source: 'card_slow' },
      { token, key: 'ending', wait: 60 },
    );
    await until('the intent is recorded', async () => {
      const { body } = await exchange(`${own}/v1/intents?reference=ending`, { token });
      return (body['data'] as unknown[]).length === 1 || undefined;
    });
    const started = performance.now();
    child.kill('SIGTERM');
    const reply = await waiting;
    expect(reply.status).toBe(202);
    expect(reply.body['status']).toMatch(/accepted|executing/);
    expect(await exit).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
  }, 40_000);

  test('starts without a store, says so, and never answers 500', async () => {
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const { child, exit } = await start({
      PORT: String(port),
      DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    await untilOk(`${own}/healthz`);
    const ready = await fetch(`${own}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { store: 'unreachable', temporal: 'unreachable' },
    ]);
    expect((await charge(own, { reference: 'x' }, { token, key: 'x' })).status).toBe(503);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  }, 40_000);

  test.each([
    ['DATABASE_URL', { DATABASE_URL: '' }],
    ['RESOLUTE_KEY_DIGEST_SECRET', { RESOLUTE_KEY_DIGEST_SECRET: 'short' }],
    ['PORT', { PORT: 'eighty' }],
  ])(
    'with a bad %s says so in one line and exits 78',
    async (name, changes) => {
      const { exit, stderr } = await start(changes);
      expect(await exit).toBe(78);
      expect(stderr()).toMatch(new RegExp(`^${name} [^\n]*\n$`));
    },
    20_000,
  );

  test('on a port that is taken says so in one line that names PORT and exits 78', async () => {
    const { exit, stderr } = await start({ PORT: new URL(api).port });
    expect(await exit).toBe(78);
    expect(stderr()).toMatch(/^PORT [^\n]*EADDRINUSE[^\n]*\n$/);
  }, 20_000);
});
