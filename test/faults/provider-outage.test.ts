/** A provider that is away for everybody: what was accepted waits, and goes out once, spread out. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type RunningStack, startStack } from '../../local/ready';
import { charge, exchange } from '../support/intent-client';
import { QUICK_CONTRACTS } from '../support/quick-contracts';
import { type LedgerCall, simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const STACK_STARTS_MS = 120_000;
/** Shorter than the outage of the first test. */
const PATIENCE_MS = 3_000;
const DRAINED_WITHIN_MS = 90_000;

let stack: RunningStack;
let directory: string;
let simulator: ReturnType<typeof simulatorClient>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolute-outage-'));
  const hasty = { ...QUICK_CONTRACTS['sim-full'], patience_ms: PATIENCE_MS };
  stack = await startStack({
    dataDirectory: directory,
    contract: { ...QUICK_CONTRACTS, 'sim-full': hasty },
  });
  simulator = simulatorClient(stack.ready.simulator_admin);
}, STACK_STARTS_MS);

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}, STACK_STARTS_MS);

async function query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
  const client = new pg.Client({ connectionString: stack.ready.database });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Intents of one source by status. */
async function statuses(source: string): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ status: string; n: number }>(
    "select status, count(*)::int as n from intents where params ->> 'source' = $1 group by 1",
    [source],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

async function accept(count: number, source: string, provider: string): Promise<void> {
  const { token } = stack.ready.tenants.acme;
  const replies = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const reference = `${source}-${index}`;
      return charge(
        stack.ready.api,
        { reference, source, provider },
        { token, key: reference, wait: 0 },
      );
    }),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
}

function drained(source: string, count: number): Promise<true> {
  return until(
    'all are through',
    async () => (await statuses(source))['succeeded'] === count || undefined,
    DRAINED_WITHIN_MS,
  );
}

const perSecond = (calls: readonly LedgerCall[], from: number) => {
  const buckets = new Map<number, number>();
  for (const { at } of calls) {
    const second = Math.floor((Date.parse(at) - from) / 1_000);
    buckets.set(second, (buckets.get(second) ?? 0) + 1);
  }
  return buckets;
};

test('an outage: a hundred intents stay accepted, then each succeeds once, without a stampede', async () => {
  const source = 'card_outage';
  await simulator.settings({ listening: false });
  await accept(100, source, 'sim-full');
  await until('the circuit is open and intents are held', async () => {
    const rows = await query<{ n: number }>(
      "select count(*)::int as n from intents where reason like 'Held: the provider is down%'",
      [],
    );
    return (rows[0]?.n ?? 0) > 50 || undefined;
  });
  expect(
    await query('select provider, why from provider_circuits where open_until is not null', []),
  ).toEqual([{ provider: 'sim-full', why: 'no connection (ECONNREFUSED)' }]);
  await until('the outage has outlasted everybody’s patience twice', async () => {
    const rows = await query<{ isLong: boolean }>(
      `select min(now() - created_at) > make_interval(secs => $2) as "isLong"
       from intents where params ->> 'source' = $1`,
      [source, (2 * PATIENCE_MS) / 1_000],
    );
    return rows[0]?.isLong ? true : undefined;
  });
  // One may be on its way as a probe; nobody has failed, is in doubt or in front of a person.
  const during = Object.keys(await statuses(source));
  expect(during.filter((status) => status !== 'executing')).toEqual(['accepted']);
  expect((await simulator.ledger(source)).calls).toEqual([]);
  expect((await fetch(`${stack.ready.api}/readyz`)).status).toBe(200);
  const { token } = stack.ready.tenants.acme;
  const { body } = await exchange(`${stack.ready.api}/v1/intents?status=accepted&limit=100`, {
    token,
  });
  const held = (body['data'] as { id: string; reason: string; attempts: number }[]).find(
    ({ reason, attempts }) => reason.startsWith('Held') && attempts === 0,
  );
  const { body: explained } = await exchange(
    `${stack.ready.api}/v1/intents/${held?.id ?? ''}/explanation`,
    { token },
  );
  expect(explained).toMatchObject({ belief: 'not_applied', attempts: [] });

  const back = Date.now();
  await simulator.settings({ listening: true });
  await drained(source, 100);
  const { effects, calls } = await simulator.ledger(source);
  expect([effects.length, calls.length]).toEqual([100, 100]);
  const buckets = perSecond(calls, back);
  // The engine alone would do more than this in a second.
  expect(Math.max(...buckets.values())).toBeLessThanOrEqual(40);
  expect(
    await query('select failures from provider_circuits where open_until is not null', []),
  ).toEqual([]);
}, 150_000);

test('B133: after a 429 with Retry-After nobody comes early, and nobody comes all at once', async () => {
  const source = 'card_limited';
  const total = 100;
  const retryAfterMs = 12_000;
  // Programmed for whoever comes before the circuit is open; the rest of the programme is taken back.
  await simulator.programme({
    ...{ on: 'charge', do: 'http-429', times: 'always', retry_after_s: retryAfterMs / 1_000 },
    match: { source },
  });
  await accept(total, source, 'sim-lookup');
  await until('the circuit is open', async () => {
    const rows = await query('select from provider_circuits where open_until is not null', []);
    return rows.length === 1 || undefined;
  });
  await until('everybody was refused or is held', async () => {
    const rows = await query<{ n: number }>(
      `select count(*)::int as n from intents where params ->> 'source' = $1
         and (reason like 'Held%' or reason like 'Not sent yet%')`,
      [source],
    );
    return rows[0]?.n === total || undefined;
  });
  await simulator.forgetFaults();
  const { calls: refused } = await simulator.ledger(source);
  const lastRefusal = Math.max(...refused.map(({ at }) => Date.parse(at)));
  await drained(source, total);

  const { effects, calls } = await simulator.ledger(source);
  expect(effects).toHaveLength(total);
  const after = calls.slice(refused.length);
  expect(
    after.filter(({ at }) => Date.parse(at) < Date.parse(refused[0]?.at ?? '') + retryAfterMs),
  ).toEqual([]);
  for (const { key, at } of refused) {
    const again = after.find((call) => call.key === key);
    if (again !== undefined) {
      expect(Date.parse(again.at) - Date.parse(at)).toBeGreaterThanOrEqual(retryAfterMs);
    }
  }
  expect(Math.max(...perSecond(after, lastRefusal).values())).toBeLessThanOrEqual(total / 5);
}, 150_000);
