/** What a purge takes, what it leaves, whom it passes over, and who may ask for it. */
import { randomBytes } from 'node:crypto';
import { type Status } from '../../domain/status';
import { purgeExpired } from '../../store/purge';
import { recordIntent } from '../../store/record-intent';
import { inTransaction } from '../../store/transaction';
import { takeUnattended } from '../../store/unattended';
import { type Ended, endedIntent, wholeRow } from '../support/ended-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

const UNFINISHED: readonly Status[] = ['accepted', 'executing', 'pending', 'unknown', 'in_review'];
const OUTCOMES: readonly Status[] = ['succeeded', 'failed', 'canceled'];

let database: FreshDatabase;
/** An operation of its own for each test: a purge is of one operation. */
let operation: string;
beforeAll(async () => {
  database = await freshDatabase();
});
beforeEach(() => {
  operation = `test.${randomBytes(4).toString('hex')}`;
});
afterAll(() => database.close());

const purge = (most = 100, days = 400) => purgeExpired(database.worker, { operation, days, most });

const ended = ({ intent, ...more }: Ended = {}): Promise<string> =>
  endedIntent(database, { ...more, intent: { operation, ...intent } });

async function isPurged(id: string): Promise<boolean> {
  return (await wholeRow(database, id))['purged_at'] !== null;
}

it.each(OUTCOMES)(
  'B61, INV-1: of a %s intent everything but params and key stays',
  async (status) => {
    const id = await ended({ status });
    const before = await wholeRow(database, id);
    expect(await purge()).toBe(1);
    const { purged_at: purgedAt, ...after } = await wholeRow(database, id);
    expect(purgedAt).toBeInstanceOf(Date);
    expect(after).toEqual({
      ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'purged_at')),
      params: null,
      idempotency_key: null,
    });
    expect(await purge()).toBe(0);
  },
);

it('INV-1: a tombstone holds its identity and its business key against everybody', async () => {
  const request = newIntent({ operation });
  const id = await ended({ intent: request });
  await purge();
  const repeat = await recordIntent(database.api, request);
  expect(repeat).toMatchObject({ kind: 'existing', intent: { id, status: 'succeeded' } });
  expect(repeat.intent.fingerprint).toEqual(request.fingerprint);
  const another = newIntent({ operation, businessKey: request.businessKey });
  expect((await recordIntent(database.api, another)).kind).toBe('business_key_taken');
});

describe.each(UNFINISHED)('an intent that is %s', (status) => {
  it('is passed over however old it is, by every way to a tombstone', async () => {
    const id = await ended({ status });
    expect(await purge()).toBe(0);
    const { rows } = await database.owner.query('select purge_intents(array[$1::uuid])', [id]);
    expect(rows).toEqual([{ purge_intents: 0 }]);
    await expect(
      database.owner.query(
        `update intents set params = null, idempotency_key = null, purged_at = now() where id = $1`,
        [id],
      ),
    ).rejects.toThrow(/purged_only_when_final/);
  });
});

it('no statement ends and purges an intent at once', async () => {
  const id = await ended({ status: 'accepted' });
  await expect(
    database.owner.query(
      `update intents set status = 'failed', version = 2, finalised_at = now(), params = null,
         idempotency_key = null, purged_at = now() where id = $1`,
      [id],
    ),
  ).rejects.toThrow(/purged_only_when_final/);
});

const DISPUTE = `update intents set discrepancy_since = now(), discrepancy_reason = 'x' where id = $1`;

it('an open discrepancy is passed over, by statement and by trigger', async () => {
  const id = await ended();
  await database.owner.query(DISPUTE, [id]);
  expect(await purge()).toBe(0);
  await expect(
    database.owner.query(
      `update intents set params = null, idempotency_key = null, purged_at = now() where id = $1`,
      [id],
    ),
  ).rejects.toThrow(/purged_only_without_discrepancy/);
});

it('INV-6: evidence that comes after the purge still opens a discrepancy', async () => {
  const id = await ended();
  await purge();
  await database.owner.query(DISPUTE, [id]);
  expect(await wholeRow(database, id)).toMatchObject({ discrepancy_reason: 'x', params: null });
});

it.each([
  ['params', `update intents set params = '{}' where id = $1`],
  ['the key', `update intents set idempotency_key = 'k' where id = $1`],
  ['the time', `update intents set purged_at = now() where id = $1`],
  ['all of it', `update intents set params = '{}', purged_at = null where id = $1`],
])('a tombstone is never filled again: %s', async (_what, statement) => {
  const id = await ended();
  await purge();
  await expect(database.owner.query(statement, [id])).rejects.toThrow(/tombstone_is_never_filled/);
});

it('days count from the outcome, for the operation that was asked for', async () => {
  const young = await ended({ daysAgo: 399 });
  const old = await ended({ daysAgo: 401 });
  const other = await ended({ intent: { operation: 'test.other' } });
  expect(await purge()).toBe(1);
  expect([await isPurged(young), await isPurged(old), await isPurged(other)]).toEqual([
    ...[false, true, false],
  ]);
});

it('a batch takes the oldest, and no more than it may', async () => {
  const ids: string[] = [];
  for (const daysAgo of [500, 700, 600]) ids.push(await ended({ daysAgo }));
  expect(await purge(2)).toBe(2);
  expect(await Promise.all(ids.map(isPurged))).toEqual([false, true, true]);
  expect(await purge(2)).toBe(1);
});

it('two purgers at once share the rows, and no row is taken twice', async () => {
  await Promise.all(Array.from({ length: 40 }, () => ended()));
  const runs = await Promise.all(Array.from({ length: 8 }, () => purge(10)));
  const first = runs.reduce((sum, purged) => sum + purged, 0);
  expect(first).toBeLessThanOrEqual(40);
  const rest = await purge();
  expect(first + rest).toBe(40);
});

it('a row that evidence holds is passed over at once, and taken later', async () => {
  const held = await ended({ daysAgo: 600 });
  const free = await ended();
  await inTransaction(database.worker, async (tx) => {
    await tx.query('select from intents where id = $1 for no key update', [held]);
    expect(await purge()).toBe(1);
  });
  expect([await isPurged(held), await isPurged(free)]).toEqual([false, true]);
  expect(await purge()).toBe(1);
});

it('B62: the auditor takes no tombstone, so no workflow is started for one', async () => {
  await ended();
  const open = await ended({ status: 'unknown' });
  await purge();
  await database.owner.query('update intents set next_step_at = null where operation = $1', [
    operation,
  ]);
  const taken = await takeUnattended(database.worker, 100);
  const ours = taken.filter((one) => one.operation === operation);
  expect(ours.map(({ intentId }) => intentId)).toEqual([open]);
});

describe('the worker’s role cannot', () => {
  it.each([
    ['choose the rows', `select purge_intents(array(select id from intents))`, /permission denied/],
    ['purge by itself', `update intents set params = null where true`, /permission denied/],
    ['set the time', `update intents set purged_at = now() where true`, /permission denied/],
    ['shorten the time', `select purge_expired('payment.charge', 29, 1)`, /is_long_enough/],
    ['leave out the time', `select purge_expired('payment.charge', null, 1)`, /is_long_enough/],
    ['take all at once', `select purge_expired('payment.charge', 400, 1001)`, /is_bounded/],
  ])('%s', async (_what, statement, refusal) => {
    await ended();
    await expect(database.worker.query(statement)).rejects.toThrow(refusal);
  });
});

it('the api role cannot purge', async () => {
  await expect(
    database.api.query(`select purge_expired('payment.charge', 400, 1)`),
  ).rejects.toThrow(/permission denied/);
});
