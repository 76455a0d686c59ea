/**
 * The order of the outbox, with transactions that commit in any other. Suites beside this one write in
 * the same cluster and may hold the feed back for a moment: what must come is waited for, what must
 * not come cannot, as its transaction is open here.
 */
import { type PoolClient } from 'pg';
import { queryAs } from '../../store/query-as';
import { type EventRow, FEED_BEGIN, readEvents, whoCanReadOn } from '../../store/read-events';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { until } from '../support/until';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

let tenants = 0;
/** A tenant of one test, so that each feed begins empty. */
async function newTenant(): Promise<string> {
  tenants += 1;
  const tenant = `reader-${tenants}`;
  await database.owner.query("insert into tenants (id, default_provider) values ($1, 'p')", [
    tenant,
  ]);
  return tenant;
}

function intentOf(tenant: string): ReturnType<typeof newIntent> {
  const intent = newIntent({ tenant });
  return { ...intent, workflowId: `${tenant}.${intent.workflowId}` };
}

const read = (tenant: string, after = FEED_BEGIN, limit = 100): Promise<readonly EventRow[]> =>
  readEvents(database.api, { tenant, after, limit });

/** The feed once it has `count` events. */
const readAll = (tenant: string, count: number): Promise<readonly EventRow[]> =>
  until(`${count} events of ${tenant}`, async () => {
    const events = await read(tenant);
    return events.length >= count ? events : undefined;
  });

async function openTransaction(): Promise<PoolClient> {
  const client = await database.api.connect();
  await client.query('begin');
  return client;
}

async function commit(client: PoolClient): Promise<void> {
  await client.query('commit');
  client.release();
}

test('B102: an event that commits late, under a lower id, is not passed by and comes in its place', async () => {
  const tenant = await newTenant();
  const slow = await openTransaction();
  const first = (await recordIntent(slow, intentOf(tenant))).intent.id;
  const second = (await recordIntent(database.api, intentOf(tenant))).intent.id;
  // The second is committed and has the higher id; a reader that took it would skip the first.
  expect(await read(tenant)).toEqual([]);
  await commit(slow);
  const events = await readAll(tenant, 2);
  expect(events.map(({ intent }) => intent)).toEqual([first, second]);
  expect(events[0]?.id).toBeLessThan(events[1]?.id ?? 0);
});

test('a transaction that began early and wrote late has not been passed by, whatever its id', async () => {
  const tenant = await newTenant();
  const early = await openTransaction();
  await early.query('select pg_current_xact_id()');
  const quick = (await recordIntent(database.api, intentOf(tenant))).intent.id;
  const late = (await recordIntent(early, intentOf(tenant))).intent.id;
  expect(await read(tenant)).toEqual([]);
  await commit(early);
  const events = await readAll(tenant, 2);
  expect(events.map(({ intent }) => intent)).toEqual([late, quick]);
});

test('a transaction that is rolled back leaves no gap that a reader would wait for', async () => {
  const tenant = await newTenant();
  const undone = await openTransaction();
  await recordIntent(undone, intentOf(tenant));
  const kept = (await recordIntent(database.api, intentOf(tenant))).intent.id;
  await undone.query('rollback');
  undone.release();
  expect((await readAll(tenant, 1)).map(({ intent }) => intent)).toEqual([kept]);
});

test('the events of one intent come in their sequence, even if a later one’s transaction is older', async () => {
  const tenant = await newTenant();
  const older = await openTransaction();
  await older.query('select pg_current_xact_id()');
  const { intent } = await recordIntent(database.api, intentOf(tenant));
  await announce(database.api, { tenant, intent: intent.id, sequence: 2 });
  // It had waited for the lock until now.
  await announce(older, { tenant, intent: intent.id, sequence: 3 });
  await commit(older);
  const events = await readAll(tenant, 3);
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

interface Announcement {
  readonly tenant: string;
  readonly intent: string;
  readonly sequence: number;
}

async function announce(
  db: Parameters<typeof queryAs>[0],
  { tenant, intent, sequence }: Announcement,
): Promise<void> {
  await queryAs(
    db,
    { tenant },
    {
      name: 'announce',
      text: `insert into intent_events (intent, tenant, sequence, type, data)
      values ($1, $2, $3, 'resolute.intent.executing', '{}')`,
      values: [intent, tenant, sequence],
    },
  );
}

test('B103: a reader that crashes at every second page and resumes misses nothing, while six write', async () => {
  const tenant = await newTenant();
  const written = new Set<string>();
  const work = { isDone: false };
  const writers = Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 12; round += 1) {
        const client = await openTransaction();
        const { intent } = await recordIntent(client, intentOf(tenant));
        // Each holds its event back for a different number of round trips.
        for (let step = 0; step < (writer * 7 + round) % 11; step += 1)
          await client.query('select');
        await commit(client);
        written.add(intent.id);
      }
    }),
  ).finally(() => {
    work.isDone = true;
  });

  const handled: string[] = [];
  let after = FEED_BEGIN;
  let pages = 0;
  const readOn = async (): Promise<number> => {
    const page = await read(tenant, after, 4);
    pages += 1;
    // A crash in the middle of a page: some of it was dealt with, the cursor was not kept.
    const crashes = pages % 2 === 0;
    handled.push(...(crashes ? page.slice(0, 2) : page).map(({ intent }) => intent));
    if (!crashes) after = page.at(-1) ?? after;
    return page.length;
  };
  while (!work.isDone) await readOn();
  await writers;
  await until('the reader has caught up', async () => {
    await readOn();
    return new Set(handled).size === written.size || undefined;
  });
  expect(new Set(handled)).toEqual(written);
  expect((await read(tenant)).map(({ intent }) => intent).sort()).toEqual([...written].sort());
});

test('who waits is told once there is something behind the own place, and of the own tenant', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  await recordIntent(database.api, intentOf(tenant));
  const [event] = await readAll(tenant, 1);
  if (event === undefined) throw new Error('the event is gone');
  const ask = () =>
    whoCanReadOn(database.api, [
      { tenant: other, after: FEED_BEGIN },
      { tenant, after: FEED_BEGIN },
      { tenant, after: event },
    ]);
  expect(await ask()).toEqual([1]);
  const slow = await openTransaction();
  await recordIntent(slow, intentOf(tenant));
  expect(await ask()).toEqual([1]);
  await commit(slow);
  await until('the second event', async () => (await ask()).length === 2 || undefined);
  expect(await ask()).toEqual([1, 2]);
});

test('a tenant reads its own events only', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  const own = (await recordIntent(database.api, intentOf(tenant))).intent.id;
  await recordIntent(database.api, intentOf(other));
  await readAll(other, 1);
  expect((await readAll(tenant, 1)).map(({ intent }) => intent)).toEqual([own]);
});

test('a page is found by its place in the index, policies included', async () => {
  const client = await database.api.connect();
  await client.query(
    "begin; set local enable_seqscan = off; set local enable_bitmapscan = off; select set_config('resolute.tenant', 'acme', true)",
  );
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain select position, id, data from intent_events
     where tenant = 'acme' and (position, id) > ('7'::xid8, 7)
       and position < pg_snapshot_xmin(pg_current_snapshot())
     order by position, id limit 100`,
  );
  client.release(true);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using events_in_order/);
  expect(plan).toMatch(/Index Cond: .*ROW\("?position"?, id\) > ROW\(.*pg_snapshot_xmin/);
  expect(plan).not.toContain('Sort');
});
