/** Statements that travel together: in their order, all or none, and prepared once. */
import { type EventEmitter } from 'node:events';
import { type PoolClient } from 'pg';
import { type Brought, inOneTrip, type Statement } from '../../store/one-trip';
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
  const [only, ...rest] = await inOneTrip<[Brought]>(client, [ALL]);
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

test('a statement that was done before the trip failed stays prepared, for the driver too', async () => {
  await expect(inOneTrip(client, [note(1), note(1)])).rejects.toThrow(/duplicate key/);
  const { text, values } = note(2);
  await client.query({ name: 'note', text, values: [...values] });
  expect(await noted()).toEqual([2]);
});

test('a statement that was prepared before a trip that failed stays so, for the driver too', async () => {
  await inOneTrip(client, [note(1), ALL]);
  await expect(inOneTrip(client, [note(1), ALL])).rejects.toThrow(/duplicate key/);
  const { text, values } = note(2);
  await client.query({ name: 'note', text, values: [...values] });
  expect((await client.query(ALL as { name: string; text: string })).rows).toHaveLength(2);
});

describe('columns are described once', () => {
  /** Messages that the server sent since, by what the driver calls them. */
  function heard(name: string): () => number {
    let count = 0;
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on(name, () => (count += 1));
    return () => count;
  }

  const TYPED: Statement = {
    name: 'typed',
    text: "select n, n > 1 as more, 'x' || n as text, null as nothing, '{\"a\":1}'::jsonb as json from noted order by n",
    values: [],
  };

  test('rows without a description are read like those with one', async () => {
    const descriptions = heard('rowDescription');
    await inOneTrip(client, [note(1), note(2)]);
    const [first] = await inOneTrip(client, [TYPED]);
    const [again, , third] = await inOneTrip(client, [TYPED, note(3), TYPED]);
    const row = (n: number) => ({ n, more: n > 1, text: `x${n}`, nothing: null, json: { a: 1 } });
    expect(first?.rows).toEqual([row(1), row(2)]);
    expect([again?.rows, third?.rows]).toEqual([first?.rows, [row(1), row(2), row(3)]]);
    expect(descriptions()).toBe(1);
  });

  test('where the first time brought no row, the next is read all the same', async () => {
    await inOneTrip(client, [ALL]);
    await inOneTrip(client, [ALL]);
    const [, all] = await inOneTrip(client, [note(4), ALL]);
    expect(all?.rows).toEqual([{ n: 4 }]);
  });

  test('hazard: columns that changed since are refused by PostgreSQL, never read as the old ones', async () => {
    await database.owner.query('create table changing (a int)');
    await database.owner.query('insert into changing values (1)');
    const every: Statement = { name: 'every', text: 'select * from changing', values: [] };
    await inOneTrip(client, [every]);
    await database.owner.query('alter table changing add b text');
    await expect(inOneTrip(client, [every])).rejects.toThrow(/must not change result type/);
  });
});

test('a value that cannot be read fails the trip, and the connection goes on', async () => {
  const huge: Statement = { name: 'huge', text: 'select 9007199254740993 as n', values: [] };
  await expect(inOneTrip(client, [note(6), huge])).rejects.toThrow(/not a safe integer/);
  const [all] = await inOneTrip(client, [ALL]);
  expect(all?.rows).toEqual([{ n: 6 }]);
});

test('commands tell what they did and to how many rows', async () => {
  const of = (name: string, text: string): Statement => ({ name, text, values: [] });
  const results = await inOneTrip(client, [
    of('begin', 'begin'),
    of('make', 'create temp table made (n int)'),
    of('fill', 'insert into made values (1), (2)'),
    of('empty', 'delete from made where n > 5'),
    of('end', 'rollback'),
  ]);
  expect(results.map(({ command, rowCount }) => [command, rowCount])).toEqual([
    ['BEGIN', null],
    ['CREATE TABLE', null],
    ['INSERT', 2],
    ['DELETE', 0],
    ['ROLLBACK', null],
  ]);
});
