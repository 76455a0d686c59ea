/**
 * `npm run bench:retention`: what the daily purge does to a large table. Fills a stack's store with a
 * million ended intents, half of them due, purges them as the worker does, and reads single intents
 * as the gateway does, before and meanwhile. A batch's time is the longest that it holds any lock.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import { keepCredentials } from '../local/credentials';
import { startStack } from '../local/ready';
import { erase } from '../store/erase';
import { createPool, type Pool } from '../store/pool';
import { purgeExpired } from '../store/purge';
import { readIntent } from '../store/read-intents';
import { fillWithEnded } from './ended-intents';
import { percentile } from './statistics';

const ROWS = Number(process.argv[2] ?? 1_000_000);
/** As activities/purge.ts. */
const BATCH = { operation: 'payment.charge', days: 400, most: 200 };
const READS_BEFORE = 500;

interface Stores {
  readonly ownerUrl: string;
  readonly owner: Pool;
  readonly api: Pool;
  readonly worker: Pool;
}

async function main(): Promise<void> {
  if (!Number.isSafeInteger(ROWS) || ROWS < 1_000) throw new Error('At least 1000 rows.');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-bench-'));
  const stack = await startStack({ dataDirectory });
  const stores = storesOf(stack.ready.database, dataDirectory);
  try {
    await measure(stores);
  } finally {
    await Promise.all([stores.owner.end(), stores.api.end(), stores.worker.end()]);
    await stack.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

function storesOf(ownerUrl: string, dataDirectory: string): Stores {
  const { passwords } = keepCredentials(dataDirectory);
  const open = (role: string, password: string): Pool => {
    const url = new URL(ownerUrl);
    Object.assign(url, { username: role, password });
    return createPool({ url: url.href, name: 'bench', size: 2, onIdleError: () => undefined });
  };
  return {
    ownerUrl,
    owner: createPool({ url: ownerUrl, name: 'bench', size: 1, onIdleError: () => undefined }),
    api: open('resolute_api', passwords.api),
    worker: open('resolute_worker', passwords.worker),
  };
}

async function measure({ ownerUrl, owner, api, worker }: Stores): Promise<void> {
  const filling = performance.now();
  await fillWithEnded(ownerUrl, { rows: ROWS, dueEvery: 2 });
  say('rows', ROWS, `filled in ${seconds(performance.now() - filling)}`);
  const { rows } = await owner.query<{ id: string }>('select id from intents limit 1000');
  const ids = rows.map(({ id }) => id);
  const before: number[] = [];
  for (let read = 0; read < READS_BEFORE; read += 1) before.push(await timeRead(api, ids));
  times('read of one intent, before', before);

  const purging = purgeAll(worker);
  const meanwhile: number[] = [];
  const reading = (async () => {
    while (!purging.isOver()) {
      meanwhile.push(await timeRead(api, ids));
      await delay(2);
    }
  })();
  const batches = await purging.done;
  await reading;
  times(`batch of ${BATCH.most}`, batches);
  times('read of one intent, meanwhile', meanwhile);
  say('purged', batches.length * BATCH.most, `at most, in ${batches.length} batches`);

  const erasing = performance.now();
  const erased = await erase(owner, { tenant: 'acme', source: 'card_777' });
  say('erased', erased?.erased ?? 0, `by source in ${(performance.now() - erasing).toFixed(1)} ms`);
}

function purgeAll(worker: Pool) {
  let isOver = false;
  const run = async (): Promise<readonly number[]> => {
    const batches: number[] = [];
    for (let purged = BATCH.most; purged === BATCH.most;) {
      const begin = performance.now();
      purged = await purgeExpired(worker, BATCH);
      batches.push(performance.now() - begin);
    }
    return batches;
  };
  return { isOver: () => isOver, done: run().finally(() => (isOver = true)) };
}

async function timeRead(api: Pool, ids: readonly string[]): Promise<number> {
  const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
  const begin = performance.now();
  await readIntent(api, id, { tenant: 'acme' });
  return performance.now() - begin;
}

function times(what: string, values: readonly number[]): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((rank) => percentile(values, rank).toFixed(1));
  console.log(`${what}: ${values.length} times, p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
}

function say(what: string, count: number, remark: string): void {
  console.log(`${what}: ${count}, ${remark}`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

main().catch((error: unknown) => {
  console.error(pc.red(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
});
