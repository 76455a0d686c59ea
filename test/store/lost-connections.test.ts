/**
 * The claim of an identity over connections that break: before the statement arrives, after it has
 * committed, in the middle. A TCP proxy between pool and PostgreSQL cuts at the chosen moment.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createPool, isStoreUnavailable, type Pool } from '../../store/pool';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { until } from '../support/until';

/** What becomes of the connection over which the marked bytes travel. */
type Cut = 'before' | 'after';

let database: FreshDatabase;
let proxy: Awaited<ReturnType<typeof cuttingProxy>>;
let pool: Pool;
beforeAll(async () => {
  database = await freshDatabase();
  proxy = await cuttingProxy(new URL(database.apiUrl));
  const url = new URL(database.apiUrl);
  url.host = proxy.host;
  pool = createPool({ url: url.href, name: 'cut', size: 4, onIdleError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  proxy.close();
  await database.close();
});

/**
 * Passes everything on, until `cut` is set: then the next request that holds the claim is dropped with
 * its connection, before PostgreSQL sees it or after PostgreSQL has answered it.
 */
async function cuttingProxy(target: URL) {
  const state: { cut: Cut | null } = { cut: null };
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    const end = (): void => [client, upstream].forEach((socket: Socket) => socket.destroy());
    [client, upstream].forEach((socket) => socket.on('error', end).on('close', end));
    let isDoomed = false;
    client.on('data', (bytes: Buffer) => {
      if (state.cut === null || !bytes.includes('claim-intent')) return void upstream.write(bytes);
      const { cut } = state;
      state.cut = null;
      if (cut === 'before') {
        end();
        return;
      }
      isDoomed = true;
      return void upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => (isDoomed ? end() : void client.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    cutNext: (cut: Cut) => (state.cut = cut),
    close: () => server.close(),
  };
}

async function rowsOf(keyDigest: Buffer): Promise<number> {
  const { rowCount } = await database.owner.query('select from intents where key_digest = $1', [
    keyDigest,
  ]);
  return rowCount ?? -1;
}

it('B91: a connection lost before the claim is "unavailable"; the repeat claims the identity', async () => {
  const intent = newIntent();
  proxy.cutNext('before');
  const refused: unknown = await recordIntent(pool, intent).catch((error: unknown) => error);
  expect(isStoreUnavailable(refused)).toBe(true);
  expect(await rowsOf(intent.keyDigest)).toBe(0);
  expect((await recordIntent(pool, intent)).kind).toBe('new');
});

it('B92: a claim whose confirmation was lost is found by its repeat, as the same request', async () => {
  const intent = newIntent();
  proxy.cutNext('after');
  const lost: unknown = await recordIntent(pool, intent).catch((error: unknown) => error);
  expect(isStoreUnavailable(lost)).toBe(true);
  // It committed although nobody was told: the repeat, and the auditor, find it.
  await until('the claim is there', async () =>
    (await rowsOf(intent.keyDigest)) === 1 ? true : undefined,
  );
  const repeat = await recordIntent(pool, intent);
  expect(repeat).toMatchObject({ kind: 'existing', intent: { status: 'accepted' } });
  expect(repeat.intent.fingerprint).toEqual(intent.fingerprint);
  expect(await rowsOf(intent.keyDigest)).toBe(1);
});

it('B99: a session that dies in mid-claim leaves no lock, and the next claim does not wait', async () => {
  const intent = newIntent();
  const dying = await database.api.connect();
  dying.on('error', () => undefined);
  await dying.query('begin');
  await recordIntent(dying, intent);
  const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.api.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  dying.release(new Error('ended'));
  expect((await recordIntent(pool, intent)).kind).toBe('new');
  const { rowCount } = await database.owner.query(
    `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
     where locktype = 'advisory' and datname = current_database()`,
  );
  expect(rowCount).toBe(0);
});

it('B101: what is committed is on disk before anybody is told', async () => {
  for (const role of [database.api, database.worker]) {
    const settings = ['synchronous_commit', 'fsync', 'full_page_writes'];
    const values = await Promise.all(
      settings.map(async (name) => {
        const { rows } = await role.query<{ value: string }>(
          'select current_setting($1) as value',
          [name],
        );
        return rows[0]?.value;
      }),
    );
    expect(values).toEqual(['on', 'on', 'on']);
  }
});

it('B135: every time in the schema is a timestamptz', async () => {
  const { rows } = await database.owner.query(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and (data_type like '%time%without%' or data_type = 'date')`,
  );
  expect(rows).toEqual([]);
  const times = await database.owner.query(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = 'public' and data_type <> 'timestamp with time zone'
       and (column_name like '%\\_at' or column_name like '%\\_since'
         or column_name like '%deadline%')`,
  );
  expect(times.rows).toEqual([]);
});
