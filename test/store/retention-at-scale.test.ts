/**
 * A purge's work is that of its batch, however large the table: counted by PostgreSQL itself, in the
 * transaction that does the work. `npm run bench:retention` takes the times of a million rows.
 */
import { erase } from '../../store/erase';
import { type Queryable } from '../../store/pool';
import { purgeExpired } from '../../store/purge';
import { inTransaction } from '../../store/transaction';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';
import { fillWithEnded } from '../../bench/ended-intents';

const ROWS = 100_000;
const MOST = 500;

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await fillWithEnded(database.ownerUrl, { rows: ROWS, dueEvery: 2 });
}, 60_000);
afterAll(() => database.close());

interface Work {
  /** Rows that were read without an index. */
  readonly scanned: number;
  /** Rows that were fetched by one. */
  readonly fetched: number;
}

/** What `work` reads of both tables, in a transaction of its own. */
async function counted(work: (tx: Queryable) => Promise<void>): Promise<Work> {
  return inTransaction(database.owner, async (tx) => {
    // The counters also hold what earlier transactions of this session have not handed in yet.
    const before = await counters(tx);
    await work(tx);
    const after = await counters(tx);
    return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
  });
}

async function counters(tx: Queryable): Promise<Work> {
  const { rows } = await tx.query<Work>(
    `select coalesce(sum(seq_tup_read), 0)::bigint as scanned,
       coalesce(sum(idx_tup_fetch), 0)::bigint as fetched
     from pg_stat_xact_user_tables where relname = 'intents'`,
  );
  return rows[0] ?? { scanned: 0, fetched: 0 };
}

it('a batch reads its own rows by the index and no others, the tenth as the first', async () => {
  // After some calls on one connection PostgreSQL goes over to plans that know no values.
  for (let batch = 1; batch <= 10; batch += 1) {
    const { scanned, fetched } = await counted(async (tx) => {
      const purged = await purgeExpired(tx, { operation: 'payment.charge', days: 400, most: MOST });
      expect(purged).toBe(MOST);
    });
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(3 * MOST);
  }
});

it('a batch that finds nothing due reads nothing', async () => {
  const work = await counted(async (tx) => {
    await purgeExpired(tx, { operation: 'payment.charge', days: 100_000, most: MOST });
  });
  expect(work).toEqual({ scanned: 0, fetched: 0 });
});

it('an erasure finds one payer among all by the index', async () => {
  const { scanned, fetched } = await counted(async (tx) => {
    expect(await erase(tx, { tenant: 'acme', source: 'card_77777' })).toMatchObject({ erased: 1 });
  });
  expect(scanned).toBe(0);
  expect(fetched).toBeLessThanOrEqual(10);
});
