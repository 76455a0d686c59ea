/**
 * INV-12: what a caller entrusts to the gateway is looked for in every place where it must not be:
 * logs of all processes, metrics, traces, Temporal, the outbox, answers to others. The pieces are unique texts.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { exchange, type Reply } from '../support/intent-client';
import { readable } from '../support/readable';
import { resolute, resoluteJson } from '../support/resolute';
import { scrape } from '../support/scrape';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { startCollector } from '../support/trace-collector';
import { until } from '../support/until';
import { watchedWorld } from '../support/watched-world';

const { ready, dataDirectory } = sharedStack();
const { api } = ready;
const simulator = simulatorClient(ready.simulator_admin);
const db = new pg.Client({ connectionString: ready.database });

const canary = (what: string): string => `canary-${what}-${randomBytes(6).toString('hex')}`;

/** One case for each way that an intent can take; each with canaries of its own. */
const PATHS = [
  ['it succeeds', undefined],
  ['it is declined', 'decline'],
  ['its answer is lost', 'timeout-after-effect'],
  ['its answer is no JSON', 'garbage'],
] as const;

interface Planted {
  readonly key: string;
  readonly source: string;
  readonly description: string;
  readonly value: string;
}

let token: string;
const plants: Planted[] = [];
/** Answers to the tenant itself, and to everybody else. */
const own: Reply[] = [];
const foreign: Reply[] = [];

/** The pieces that no place may hold; the key is the tenant's own. */
const secrets = (): readonly string[] => [
  token,
  ...plants.flatMap(({ source, description, value }) => [source, description, value]),
];
const keys = (): readonly string[] => plants.map(({ key }) => key);

function found(text: string, pieces: readonly string[]): readonly string[] {
  return pieces.filter((piece) => text.includes(piece));
}

/** Sends one charge as the tenant; `changes` spoil it. */
function send(planted: Planted, changes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
  const { key, source, description, value } = planted;
  const metadata = { cart: value };
  const body = { amount: 1000, currency: 'EUR', source, description, metadata, reference: 'r' };
  return exchange(`${api}/v1/intents/payment.charge`, {
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, prefer: 'wait=30' },
    body: JSON.stringify({ ...body, reference: key.slice(-12), ...changes }),
  });
}

beforeAll(async () => {
  await db.connect();
  await resolute(ready.database, 'tenant', 'create', 'canary', '--provider', 'sim-full');
  ({ token } = await resoluteJson<{ token: string }>(
    ready.database,
    ...['token', 'create', '--tenant', 'canary', '--actor', 'bird', '--scopes', 'charge,read'],
  ));
  for (const [, behaviour] of PATHS) {
    const source = canary('source');
    const planted = { source, key: canary('key'), description: canary('text'), value: canary('v') };
    plants.push(planted);
    if (behaviour !== undefined) {
      await simulator.programme({ on: 'charge', do: behaviour, match: { source } });
    }
    const first = await send(planted);
    own.push(first, await send(planted), await send(planted, { amount: 2000 }));
    own.push(await send({ ...planted, key: canary('key') }));
    foreign.push(await send(planted, { amount: -1 }), await send(planted, { currency: 'XXX' }));
    foreign.push(await send({ ...planted, key: `${planted.key}, ${planted.key}` }));
    const { id } = (first.body['intent'] ?? first.body) as { id: string };
    for (const part of ['', '/explanation']) {
      const url = `${api}/v1/intents/${id}${part}`;
      foreign.push(await exchange(url, { token: ready.tenants.globex.token }));
      foreign.push(await exchange(url, { token: ready.operators.olive.token }));
      foreign.push(await exchange(url, { token: `${token}x` }));
    }
  }
}, 120_000);
afterAll(() => db.end());

test('the paths were taken', () => {
  const statuses = own.filter((_, index) => index % 4 === 0).map(({ status }) => status);
  expect(statuses).toEqual([201, 402, 201, 201]);
});

test('answers to the tenant hold its key and nothing else that it entrusted', () => {
  expect(found(JSON.stringify(own), secrets())).toEqual([]);
  expect(found(JSON.stringify(own), keys())).toEqual(keys());
});

test('refusals, and answers to other tenants, operators and strangers hold nothing', () => {
  expect(new Set(foreign.map(({ status }) => status))).toEqual(new Set([400, 404, 200, 401]));
  expect(found(JSON.stringify(foreign), [...secrets(), ...keys()])).toEqual([]);
});

test('B130: no log of any process holds anything', () => {
  const folder = join(dataDirectory, 'logs');
  const logs = readdirSync(folder);
  expect(logs.join(' ')).toMatch(/api.*postgres.*simulator.*temporal.*worker/);
  const hits = logs.flatMap((name) =>
    found(readFileSync(join(folder, name), 'utf8'), [...secrets(), ...keys()]).map(
      (piece) => `${name}: ${piece}`,
    ),
  );
  expect(hits).toEqual([]);
});

test('B130: no metric of the gateway that served all of them holds anything', async () => {
  const { text } = await scrape(`${api}/metrics`);
  expect(text).toContain('sim-full');
  expect(found(text, [...secrets(), ...keys(), 'canary'])).toEqual([]);
});

test('B130: no metric of worker or SDK and no trace that is exported holds anything', async () => {
  const collector = await startCollector();
  const world = await watchedWorld(collector.url);
  const url = `${world.api}/v1/intents/payment.charge`;
  for (const [, behaviour] of PATHS) {
    const source = canary('source');
    const fault = { on: 'charge', do: behaviour ?? 'ok', match: { source } } as const;
    await world.simulator.programme(fault);
    const texts = { description: canary('text'), metadata: { cart: canary('v') } };
    const reference = randomBytes(6).toString('hex');
    const asking = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': canary('key') },
      body: JSON.stringify({ amount: 1000, currency: 'EUR', source, reference, ...texts }),
    } as const;
    const { status } = await exchange(url, { token: world.token, ...asking });
    expect([201, 402]).toContain(status);
    expect((await exchange(url, { token: canary('token'), ...asking })).status).toBe(401);
  }
  await until('the spans of all runs arrive', () => {
    const runs = collector.spans.filter(({ name }) => name === 'RunWorkflow:settleIntent');
    return runs.length === PATHS.length || undefined;
  });
  const metrics = await Promise.all(
    [world.apiMetrics, world.workerMetrics, world.sdkMetrics].map(scrape),
  );
  const texts = [...metrics.map(({ text }) => text), collector.bodies.join('\n')];
  // Each tells of these very charges: there is something to search.
  expect(texts.map((text) => /sim-full|settleIntent/.test(text))).toEqual([true, true, true, true]);
  expect(found(texts.join('\n'), ['canary', world.token])).toEqual([]);
  await world.close();
  collector.close();
}, 120_000);

test('B130: Temporal holds nothing: no input, result, failure, summary, memo or name', async () => {
  const { rows } = await db.query<{ workflow_id: string }>(
    "select workflow_id from intents where tenant = 'canary'",
  );
  // Some second keys found the reference free again: their intents count as well.
  expect(rows.length).toBeGreaterThanOrEqual(PATHS.length);
  const connection = await Connection.connect({ address: ready.temporal.address });
  const client = new Client({ connection });
  const texts = await Promise.all(
    rows.map(async ({ workflow_id: id }) => {
      const handle = client.workflow.getHandle(id);
      const [history, description] = await Promise.all([handle.fetchHistory(), handle.describe()]);
      return readable({ id, history, raw: description.raw });
    }),
  );
  await connection.close();
  // The reader sees into payloads: what is known to be there is found.
  expect(texts.every((text) => text.includes('payment.charge') && text.includes('EUR'))).toBe(true);
  expect(found(texts.join('\n'), [...secrets(), ...keys()])).toEqual([]);
});

test('B131: neither the outbox nor an observation holds anything', async () => {
  const { rows } = await db.query<{ row: string }>(
    `select to_jsonb(e)::text as row from intent_events e where tenant = 'canary'
     union all
     select to_jsonb(o)::text from observations o
       join intents on intents.id = o.intent where tenant = 'canary'`,
  );
  expect(rows.length).toBeGreaterThan(2 * PATHS.length);
  expect(found(rows.map(({ row }) => row).join('\n'), [...secrets(), ...keys()])).toEqual([]);
});

test('the row holds what was entrusted, so that the search has something to find', async () => {
  const { rows } = await db.query<{ row: string }>(
    "select to_jsonb(i)::text as row from intents i where tenant = 'canary'",
  );
  const text = rows.map(({ row }) => row).join('\n');
  expect(found(text, secrets())).toEqual(secrets().filter((piece) => piece !== token));
});
