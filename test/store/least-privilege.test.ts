/** What no role, and no program, may do. */
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
let id: string;
beforeAll(async () => {
  database = await freshDatabase();
  id = (await recordIntent(database.api, newIntent())).intent.id;
});
afterAll(() => database.close());

it.each([
  ['move an intent', "update intents set status = 'failed' where true"],
  ['open an attempt', 'insert into attempts (intent) values (gen_random_uuid())'],
  ['write evidence', 'insert into observations (intent) values (gen_random_uuid())'],
  ['make a token', "insert into api_keys (token_digest, actor, scopes) values ('', '', '{}')"],
  ['change what a refund draws on', 'update intents set draws_on = null where true'],
  ['change the schema', 'alter table intents add column x int'],
])('the api role cannot %s', async (_title, statement) => {
  await expect(database.api.query(statement)).rejects.toThrow(/permission denied|must be owner/);
});

it.each([
  ['claim an identity', 'insert into intents (tenant) values (null)'],
  ['read tokens', 'select * from api_keys'],
  ['change parameters', "update intents set params = '{}' where true"],
  ['change an amount', 'update intents set amount = 1 where true'],
  ['change what a refund draws on', 'update intents set draws_on = null where true'],
  ['rewrite an event', "update intent_events set type = 'x' where true"],
  ['change the schema', 'drop table intents'],
])('the worker role cannot %s', async (_title, statement) => {
  await expect(database.worker.query(statement)).rejects.toThrow(/permission denied|must be owner/);
});

it.each([
  ['B65, INV-1: delete an intent', 'delete from intents where id = $1', /append-only/],
  ['INV-1: change an identity', "update intents set operation = 'x' where id = $1", /inv1/],
  [
    'INV-7: change a status without its version',
    "update intents set status = 'executing' where id = $1",
    /inv7/,
  ],
  [
    'INV-7: skip a version',
    "update intents set status = 'executing', version = 3 where id = $1",
    /inv7/,
  ],
  [
    'INV-7: write what was derived from an older version',
    'update intents set version = 0 where id = $1',
    /inv7/,
  ],
  [
    'skip to an illegal status',
    "update intents set status = 'succeeded', version = 2, finalised_at = now() where id = $1",
    /inv6/,
  ],
  [
    'put an unknown status',
    "update intents set status = 'timeout', version = 2 where id = $1",
    /inv6|status_is_known/,
  ],
])('not even the owner can %s', async (_title, statement, refusal) => {
  await expect(database.owner.query(statement, [id])).rejects.toThrow(refusal);
});

it('INV-6: a final state is never left, and evidence is never rewritten', async () => {
  const ended = (await recordIntent(database.api, newIntent())).intent.id;
  await database.owner.query(
    "update intents set status = 'failed', version = 2, finalised_at = now() where id = $1",
    [ended],
  );
  await expect(
    database.owner.query(
      "update intents set status = 'accepted', version = 3, finalised_at = null where id = $1",
      [ended],
    ),
  ).rejects.toThrow(/inv6/);
  await database.owner.query(
    `insert into observations (intent, effect, source, finding, asked_at)
     values ($1, 'apply', 'look_up', '{"kind":"absent"}', now())`,
    [ended],
  );
  await expect(database.owner.query('delete from observations')).rejects.toThrow(/append-only/);
  await expect(
    database.owner.query('update observations set finding = \'{"kind":"applied"}\''),
  ).rejects.toThrow(/append-only/);
});

it('INV-3: two unresolved attempts of one effect cannot exist', async () => {
  const open = (number: number) =>
    database.owner.query(
      `insert into attempts (intent, effect, number, generation, provider_key, reference,
         request_digest, owner, opened_at, send_deadline)
       values ($1, 'apply', $2, 1, 'k', 'r', sha256('x'), 'me', now(), now() + interval '1 second')`,
      [id, number],
    );
  await open(1);
  await expect(open(2)).rejects.toThrow(/inv3_one_unresolved_attempt/);
});

it('B94: no identity column may be null', async () => {
  const { rows } = await database.owner.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = 'intents' and is_nullable = 'YES'
       and column_name in ('tenant', 'operation', 'key_digest', 'business_key', 'workflow_id')`,
  );
  expect(rows).toEqual([]);
});
