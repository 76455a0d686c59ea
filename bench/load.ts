/**
 * The callers, in a process of their own: C connections, each sending its next request when the last
 * one was answered. Any answer but 201 ends the run, since it would not be an outcome.
 */
import { Pool } from 'undici';
import { type Load, type LoadResult } from './load-process';

async function run({ target, clients, keys }: Load): Promise<LoadResult> {
  const pool = new Pool(target.origin, { connections: clients, pipelining: 1 });
  const queue = keys.values();
  const latenciesMs: number[] = [];
  const caller = async (): Promise<void> => {
    for (const key of queue) latenciesMs.push(await ask(pool, target, key));
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: clients }, caller));
  const elapsedMs = performance.now() - begun;
  await pool.close();
  return { elapsedMs, latenciesMs };
}

async function ask(pool: Pool, { path, headers }: Load['target'], key: string): Promise<number> {
  const charge = {
    amount: 1_000,
    currency: 'EUR',
    source: 'card_bench',
    reference: `bench-${key}`,
  };
  const begun = performance.now();
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    body: JSON.stringify(charge),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 500)}`);
  return performance.now() - begun;
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
