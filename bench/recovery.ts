/**
 * A worker's death: N charges are under way when the worker is killed outright, most of them waiting
 * for a slow provider's answer. Measured is the time from the kill to each intent's outcome, by the
 * database's clock. Comes last in a run: the worker is another one afterwards, and not warm.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { readReady, type Ready } from '../local/ready';
import { type Lab } from './lab';
import { type Target } from './load-process';
import { type OwnSystem, type Recovery } from './words';

/** Within the send budget of 2 s, so that every answer would have come in time. */
const PROVIDER_LATENCY_MS = 1_500;
/** Killed this long after the first send, before the first answer can have come. */
const KILL_AFTER_MS = 1_200;
const PATIENCE_MS = 90_000;

/** Kills the worker once. Throws where intents are still open after a minute and a half. */
export async function measureRecovery(
  lab: Lab,
  system: OwnSystem,
  intents: number,
): Promise<Recovery> {
  const target = targetOf(lab, system);
  const client = new pg.Client({ connectionString: lab.ready.database });
  await client.connect();
  await setProviderLatency(lab.ready, PROVIDER_LATENCY_MS);
  try {
    const ids = await Promise.all(Array.from({ length: intents }, () => accept(target)));
    await untilFirstSend(client, ids);
    await delay(KILL_AFTER_MS);
    const sending = await countOpenAttempts(client, ids);
    const killedAt = await kill(client, lab);
    // From here on slowness would be the provider's and not ours.
    await setProviderLatency(lab.ready, 0);
    return { system, intents, sending, resolvedAfterMs: await untilFinal(client, ids, killedAt) };
  } finally {
    await client.end();
  }
}

async function setProviderLatency({ simulator_admin: admin }: Ready, ms: number): Promise<void> {
  const response = await fetch(`${admin}/_admin/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ latency_ms: ms }),
  });
  if (!response.ok) throw new Error(`the simulator refused its settings: ${response.status}`);
}

function targetOf({ systems }: Lab, name: OwnSystem): Target {
  const system = systems.find((one) => one.name === name);
  if (system === undefined) throw new Error(`${name} was not started`);
  return system.target;
}

async function accept({ origin, path, headers }: Target): Promise<string> {
  const key = randomUUID();
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'respond-async',
    },
    body: JSON.stringify({
      amount: 1_000,
      currency: 'EUR',
      source: 'card_bench',
      reference: `bench-${key}`,
    }),
  });
  const intent = (await response.json()) as { readonly id: string };
  if (response.status !== 202) throw new Error(`expected 202, got ${response.status}`);
  return intent.id;
}

async function untilFirstSend(client: pg.Client, ids: readonly string[]): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while ((await countOpenAttempts(client, ids)) === 0) {
    if (Date.now() > end) throw new Error('nothing was sent');
    await delay(10);
  }
}

async function countOpenAttempts(client: pg.Client, ids: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ open: number }>(
    'select count(*)::int as open from attempts where intent = any ($1) and verdict is null',
    [ids],
  );
  return rows[0]?.open ?? 0;
}

async function kill(client: pg.Client, { dataDirectory, ready }: Lab): Promise<Date> {
  process.kill((readReady(dataDirectory) ?? ready).pids.worker, 'SIGKILL');
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const [row] = rows;
  if (row === undefined) throw new Error('a select without from returned no row');
  return row.now;
}

/** One that was resolved before the kill took no time. */
async function untilFinal(
  client: pg.Client,
  ids: readonly string[],
  killedAt: Date,
): Promise<readonly number[]> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ finalised: Date }>(
      `select finalised_at as finalised from intents
       where id = any ($1) and finalised_at is not null`,
      [ids],
    );
    if (rows.length === ids.length) {
      return rows.map(({ finalised }) => Math.max(finalised.getTime() - killedAt.getTime(), 0));
    }
    if (Date.now() > end) throw new Error(`${ids.length - rows.length} intents are still open`);
    await delay(50);
  }
}
