/** Whose run is to be told of an end that PostgreSQL knows alone, and when that counts as told. */
import { recordIntent } from '../../store/record-intent';
import { markTold, takeUntold } from '../../store/untold';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

it('INV-10: a wake-up that was not confirmed is repeated, a confirmed one is not', async () => {
  const { id } = (await recordIntent(database.api, newIntent())).intent;
  await database.owner.query(
    `insert into attempts (intent, effect, number, generation, provider_key, reference,
       request_digest, owner, opened_at, send_deadline, verdict, resolved_at)
     values ($1, 'apply', 1, 1, 'k', 'r', sha256('x'), 'test', now() - interval '1 hour',
       now() - interval '59 minutes', 'absent', now())`,
    [id],
  );
  await database.owner.query(
    `update intents set status = 'failed', version = 2, finalised_at = now() - interval '5 minutes'
     where id = $1`,
    [id],
  );
  expect(await takeUntold(database.worker, 10)).toMatchObject([{ intentId: id }]);
  const again = await takeUntold(database.worker, 10);
  expect(again).toMatchObject([{ intentId: id }]);
  await markTold(database.worker, again);
  expect(await takeUntold(database.worker, 10)).toEqual([]);
});
