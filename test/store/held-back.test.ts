/** The mark of intents that Temporal does not start: set once, shown, and taken away by a run. */
import { markHeldBack, type WokenIntents } from '../../store/held-back';
import { readFigures } from '../../store/read-figures';
import { readQueue } from '../../store/read-queue';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const NOBODY: WokenIntents = { woken: [], completed: [] };

async function recorded(): Promise<string> {
  return (await recordIntent(database.api, newIntent())).intent.id;
}

const mark = (change: Partial<WokenIntents>) =>
  markHeldBack(database.worker, { ...NOBODY, ...change });

async function shown(): Promise<readonly string[]> {
  const queue = await readQueue(database.api, { concern: 'held_back', limit: 10 });
  const { groups } = await readFigures(database.api);
  expect(groups.reduce((sum, one) => sum + one.heldBack, 0)).toBe(queue.length);
  return queue.map(({ id }) => id);
}

it('is set once, is no overdue step, and goes when a run takes the intent up', async () => {
  const [held, other] = [await recorded(), await recorded()];
  await database.owner.query(
    "update intents set next_step_at = now() - interval '1 hour' where id = $1",
    [held],
  );
  expect(await mark({ completed: [held], woken: [other] })).toEqual([held]);
  expect(await mark({ completed: [held] })).toEqual([]);
  expect(await shown()).toEqual([held]);
  const { groups } = await readFigures(database.api);
  expect(groups.map(({ overdue }) => overdue)).toEqual([0]);
  expect(await mark({ woken: [held] })).toEqual([]);
  expect(await shown()).toEqual([]);
});

it('is never set on what ended while it was being woken', async () => {
  const id = await recorded();
  await database.owner.query(
    "update intents set status = 'failed', version = 2, finalised_at = now() where id = $1",
    [id],
  );
  expect(await mark({ completed: [id] })).toEqual([]);
});

it('the api role cannot set it', async () => {
  await expect(
    database.api.query('update intents set held_back_since = now() where true'),
  ).rejects.toThrow(/permission denied/);
});
