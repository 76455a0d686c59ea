/** Statements that travel together: in their order, all or none, and prepared once. */
import { type PoolClient, type QueryResult } from 'pg';
import { inOneTrip, type Statement } from '../../store/one-trip';
import { inTransactionFrom } from '../../store/pool';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
let client: PoolClient;
beforeAll(async () => {
  database = await freshDatabase();
  await database.owner.query('create table noted (n int8 primary key)');
});
beforeEach(async () => {
  client = await database.owner.connect();
});
afterEach(() => client.release(true));
afterAll(() => database.close());

const note = (n: unknown): Statement => ({
  name: 'note',
  text: 'insert into noted values ($1)',
  values: [n],
});
const ALL: Statement = { name: 'all', text: 'select n from noted order by n', values: [] };

async function noted(): Promise<readonly number[]> {
  const { rows } = await database.owner.query<{ n: number }>('select n from noted order by n');
  return rows.map(({ n }) => n);
}

beforeEach(() => database.owner.query('delete from noted'));

test('each brings its own result, in their order, and sees what came before it', async () => {
  const results = await inOneTrip(client, [note(7), ALL, note(8), ALL]);
  expect(results.map(({ command, rowCount, rows }) => ({ command, rowCount, rows }))).toEqual([
    { command: 'INSERT', rowCount: 1, rows: [] },
    // The driver's own types: int8 as a number.
    { command: 'SELECT', rowCount: 1, rows: [{ n: 7 }] },
    { command: 'INSERT', rowCount: 1, rows: [] },
    { command: 'SELECT', rowCount: 2, rows: [{ n: 7 }, { n: 8 }] },
  ]);
});

test('one alone is a list of one', async () => {
  const [only, ...rest] = await inOneTrip<[QueryResult]>(client, [ALL]);
  expect([only.rows, rest]).toEqual([[], []]);
});

test('the first that fails ends them all, and nothing of them stays', async () => {
  await expect(inOneTrip(client, [note(1), note(1), note(2)])).rejects.toThrow(/duplicate key/);
  expect(await noted()).toEqual([]);
  // The connection goes on, and none of the statements is prepared twice under one name.
  await inOneTrip(client, [note(3), ALL]);
  expect(await noted()).toEqual([3]);
});

test('a statement that failed to parse is parsed anew once it can be', async () => {
  const late: Statement = { name: 'late', text: 'select n from later', values: [] };
  await expect(inOneTrip(client, [note(1), late])).rejects.toThrow(/"later" does not exist/);
  await database.owner.query('create table later (n int)');
  const results = await inOneTrip(client, [note(1), late]);
  expect(results[1]?.rows).toEqual([]);
});

test('a value that cannot travel is refused before anything is sent', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await expect(inOneTrip(client, [note(1), note(circle)])).rejects.toThrow(/circular/i);
  const results = await inOneTrip(client, [note(2), ALL]);
  expect(results[1]?.rows).toEqual([{ n: 2 }]);
});

test('the driver itself may use a statement that travelled, and the other way round', async () => {
  await inOneTrip(client, [ALL]);
  expect((await client.query(ALL as { name: string; text: string })).rows).toEqual([]);
  const alone = { name: 'alone', text: 'select 1 as one' };
  await client.query(alone);
  const results = await inOneTrip(client, [{ ...alone, values: [] }]);
  expect(results[0]?.rows).toEqual([{ one: 1 }]);
});

test('a statement that was prepared before a trip that failed stays so, for the driver too', async () => {
  await inOneTrip(client, [note(1), ALL]);
  await expect(inOneTrip(client, [note(1), ALL])).rejects.toThrow(/duplicate key/);
  const { text, values } = note(2);
  await client.query({ name: 'note', text, values: [...values] });
  expect((await client.query(ALL as { name: string; text: string })).rows).toHaveLength(2);
});

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
