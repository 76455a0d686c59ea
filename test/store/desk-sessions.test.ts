/** A session of the desk stands and falls with the token it was opened with (INV-11). */
import { createHash } from 'node:crypto';
import { endDeskSession, findDeskOperator, openDeskSession } from '../../store/desk-sessions';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.owner.query(
    `insert into api_keys (token_digest, tenant, actor, scopes) values
       ($1, null, 'olive', '{operate,read}'), ($2, 'acme', 'shop', '{charge,read}')`,
    [digest('olive-token'), digest('shop-token')],
  );
});
afterAll(() => database.close());

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

it('opens for an operator alone', async () => {
  expect(await openDeskSession(database.api, 'shop-token')).toBeNull();
  expect(await openDeskSession(database.api, 'nobody')).toBeNull();
  const session = await openDeskSession(database.api, 'olive-token');
  expect(session?.operator).toBe('olive');
  expect(await findDeskOperator(database.api, session?.secret ?? '')).toBe('olive');
  expect(await findDeskOperator(database.api, 'guessed')).toBeNull();
});

it('ends with its time, with its token, and when it is ended', async () => {
  const open = async () => (await openDeskSession(database.api, 'olive-token'))?.secret ?? '';
  const [ended, late] = [await open(), await open()];
  await endDeskSession(database.api, ended);
  expect(await findDeskOperator(database.api, ended)).toBeNull();
  await database.owner.query(
    `update desk_sessions set created_at = now() - interval '13 hours',
       expires_at = now() - interval '1 hour' where session_digest = $1`,
    [digest(late)],
  );
  expect(await findDeskOperator(database.api, late)).toBeNull();
  const revoked = await open();
  await database.owner.query(`update api_keys set revoked_at = now() where actor = 'olive'`);
  expect(await findDeskOperator(database.api, revoked)).toBeNull();
});

it('the gateway’s role can neither list sessions nor write them', async () => {
  await expect(database.api.query('select * from desk_sessions')).rejects.toThrow(/permission/);
  await expect(database.api.query('delete from desk_sessions')).rejects.toThrow(/permission/);
});
