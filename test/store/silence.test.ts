/** Connections that say nothing: a proxy between pool and PostgreSQL swallows what passes. */
import { createPool, isStoreUnavailable, type Pool } from '../../store/pool';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';
import { swallowingProxy } from '../support/swallowing-proxy';

const PATIENCE_MS = { statement: 700, answer: 800 };

let database: FreshDatabase;
let proxy: Awaited<ReturnType<typeof swallowingProxy>>;
beforeAll(async () => {
  database = await freshDatabase();
  proxy = await swallowingProxy(new URL(database.apiUrl));
});
afterAll(async () => {
  proxy.close();
  await database.close();
});

async function inPool<Value>(work: (pool: Pool) => Promise<Value>): Promise<Value> {
  const url = new URL(database.apiUrl);
  url.host = proxy.host;
  const pool = createPool({
    ...{ url: url.href, name: 'silence', size: 2, patienceMs: PATIENCE_MS },
    onIdleError: () => undefined,
  });
  try {
    return await work(pool);
  } finally {
    proxy.swallow(false);
    await pool.end();
  }
}

/** What became of a statement, and how long it took. */
async function outcome(pool: Pool, sql: string) {
  const began = performance.now();
  const error: unknown = await pool.query(sql).then(
    () => null,
    (cause: unknown) => cause,
  );
  return { error, milliseconds: performance.now() - began };
}

test('a statement that is not answered fails as unavailable, and the next one has a new connection', async () => {
  await inPool(async (pool) => {
    await pool.query('select 1');
    proxy.swallow(true);
    const { error, milliseconds } = await outcome(pool, 'select 2');
    expect(isStoreUnavailable(error)).toBe(true);
    expect(milliseconds).toBeGreaterThan(700);
    expect(milliseconds).toBeLessThan(2_000);
    proxy.swallow(false);
    expect((await outcome(pool, 'select 3')).error).toBeNull();
  });
});

test('so does one whose connection is never greeted', async () => {
  await inPool(async (pool) => {
    proxy.swallow(true);
    const { error, milliseconds } = await outcome(pool, 'select 1');
    expect(isStoreUnavailable(error)).toBe(true);
    expect(milliseconds).toBeLessThan(2_500);
  });
});

test('an answer that a busy process has not read is no silence', async () => {
  await inPool(async (pool) => {
    await pool.query('select 1');
    const asked = outcome(pool, 'select pg_sleep(0.1)');
    await new Promise(setImmediate);
    const end = performance.now() + 3 * PATIENCE_MS.answer;
    while (performance.now() < end);
    expect((await asked).error).toBeNull();
  });
});

test('a statement that is slow and alive is ended by the store, not by us', async () => {
  await inPool(async (pool) => {
    expect((await outcome(pool, 'select pg_sleep(5)')).error).toMatchObject({ code: '57014' });
  });
});

test('a transaction that rests between statements is left alone', async () => {
  await inPool(async (pool) => {
    const client = await pool.connect();
    await client.query('begin');
    await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE_MS.answer));
    expect((await client.query('select 1')).rowCount).toBe(1);
    await client.query('rollback');
    client.release();
  });
});
