/** What was heard from a provider is written down, or at least said aloud. */
import { persist } from '../../activities/persist';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const refuse = (code: string) =>
  database.worker.query(
    `do $$ begin raise exception 'refused by the test' using errcode = '${code}'; end $$`,
  );

it.each([
  ['the victim of a deadlock', '40P01'],
  ['one that met another write', '40001'],
  ['one that waited too long for a lock', '55P03'],
])('the write of an answer that was %s is made again', async (_what, code) => {
  let writes = 0;
  const lost: unknown[] = [];
  await persist(
    () => {
      writes += 1;
      return writes === 1 ? refuse(code) : database.worker.query('select 1');
    },
    (error) => lost.push(error),
  );
  expect(writes).toBe(2);
  expect(lost).toEqual([]);
});

it('an answer that cannot be written is told before the error surfaces', async () => {
  const lost: unknown[] = [];
  const writing = persist(
    () => refuse('23514'),
    (error) => lost.push(error),
  );
  await expect(writing).rejects.toThrow(/refused by the test/);
  expect(lost).toHaveLength(1);
});
