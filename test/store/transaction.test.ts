/** A transaction is one, however few its trips are: what waits for COMMIT is done in its order, or nothing is. */
import { type Statement } from '../../store/one-trip';
import { inTransaction, inTransactionFrom } from '../../store/transaction';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.owner.query('create table noted (n int8 primary key)');
});
beforeEach(() => database.owner.query('delete from noted'));
afterAll(() => database.close());

const note = (n: unknown): Statement => ({
  name: 'note',
  text: 'insert into noted values ($1)',
  values: [n],
});

async function noted(): Promise<readonly number[]> {
  const { rows } = await database.owner.query<{ n: number }>('select n from noted order by n');
  return rows.map(({ n }) => n);
}

test('a transaction begins with its first statements, and all of it is one', async () => {
  const failing = inTransactionFrom(database.owner, [note(1)], async (tx, [first]) => {
    expect(first?.rowCount).toBe(1);
    await tx.query('insert into noted values (2)');
    throw new Error('changed our mind');
  });
  await expect(failing).rejects.toThrow('changed our mind');
  expect(await noted()).toEqual([]);
  await inTransactionFrom(database.owner, [note(1)], (tx) =>
    tx.query('insert into noted values (2)'),
  );
  expect(await noted()).toEqual([1, 2]);
});

test('a transaction whose first statements are refused leaves a clean connection', async () => {
  for (let round = 0; round < database.owner.options.max + 1; round += 1) {
    const refused = inTransactionFrom(database.owner, [note(1), note(1)], () => Promise.resolve());
    await expect(refused).rejects.toThrow(/duplicate key/);
  }
  expect(await noted()).toEqual([]);
  expect(database.owner.waitingCount).toBe(0);
});

test('what waits is done before the next query sees anything, the rest with COMMIT', async () => {
  const seen = await inTransaction(database.owner, async (tx) => {
    tx.later(note(1));
    tx.later(note(2));
    const { rows } = await tx.query<{ n: number }>('select n from noted order by n');
    tx.later(note(3));
    return rows.map(({ n }) => n);
  });
  expect([seen, await noted()]).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
});

test('a statement that waited for COMMIT and is refused takes the transaction with it', async () => {
  for (let round = 0; round < database.owner.options.max + 1; round += 1) {
    const refused = inTransaction(database.owner, async (tx) => {
      await tx.query('insert into noted values (1)');
      tx.later(note(2));
      tx.later(note(1));
      return 'done';
    });
    await expect(refused).rejects.toThrow(/duplicate key/);
  }
  expect(await noted()).toEqual([]);
  expect(database.owner.waitingCount).toBe(0);
});

test('a statement that waited and is refused fails the query that comes after it', async () => {
  let failure: unknown;
  const refused = inTransaction(database.owner, async (tx) => {
    tx.later(note(1));
    tx.later(note(1));
    failure = await tx.query('select 1').catch((error: unknown) => error);
    throw failure;
  });
  await expect(refused).rejects.toThrow(/duplicate key/);
  expect(failure).toMatchObject({ code: '23505' });
});

test('what waits when the work fails is never sent', async () => {
  const failing = inTransaction(database.owner, (tx) => {
    tx.later(note(1));
    return Promise.reject(new Error('changed our mind'));
  });
  await expect(failing).rejects.toThrow('changed our mind');
  expect(await noted()).toEqual([]);
});

test('hazard: an error that was swallowed is no commit, whatever PostgreSQL answers to COMMIT', async () => {
  const swallowed = inTransaction(database.owner, async (tx) => {
    tx.later(note(1));
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await expect(swallowed).rejects.toThrow('the transaction had failed and was rolled back');
  expect(await noted()).toEqual([]);
});
