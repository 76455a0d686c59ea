/** A role that was taken over cannot put tables of its own in the place of ours. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { recordIntent } from '../../store/record-intent';
import { migrate } from '../../store/migrations';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** On one connection, as temporary tables belong to it. */
async function asApi<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: database.apiUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const grantTemporary = () =>
  database.owner.query(
    `do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`,
  );

it('neither api nor worker can make a temporary table, after a restore neither', async () => {
  await grantTemporary();
  await migrate(database.ownerUrl, database.passwords);
  for (const pool of [database.api, database.worker]) {
    await expect(pool.query('create temporary table api_keys (x int)')).rejects.toThrow(
      /permission denied/,
    );
  }
});

it('INV-11: a temporary table named api_keys makes nobody an operator', async () => {
  await grantTemporary();
  const token = randomBytes(32);
  const found = await asApi(async (client) => {
    await client.query(`create temporary table api_keys (token_digest bytea, tenant text, actor text,
      scopes text[], revoked_at timestamptz, expires_at timestamptz)`);
    await client.query('grant all on pg_temp.api_keys to public');
    await client.query(
      `insert into pg_temp.api_keys (token_digest, actor, scopes) values ($1, 'me', '{operate}')`,
      [token],
    );
    const direct = await client.query('select from find_caller($1)', [token]);
    const desk = await client.query<{ who: string | null }>(
      "select open_desk_session($1, $2, interval '1 hour') as who",
      [token, randomBytes(32)],
    );
    return { callers: direct.rowCount, who: desk.rows[0]?.who };
  });
  expect(found).toEqual({ callers: 0, who: null });
});

it('a temporary table named intents lets nobody refund what did not succeed', async () => {
  await grantTemporary();
  const { id } = (await recordIntent(database.api, newIntent())).intent;
  const refunding = asApi(async (client) => {
    await client.query("select set_config('resolute.tenant', 'acme', false)");
    await client.query('create temporary table intents as select * from public.intents');
    await client.query("update pg_temp.intents set status = 'succeeded', provider_id = 'ch_1'");
    return client.query(
      `insert into public.intents (tenant, operation, operation_version, key_digest, fingerprint,
         fingerprint_version, business_key, params, amount, currency, provider, contract, policy,
         reason, workflow_id, draws_on, draws_on_provider_id)
       select tenant, 'payment.refund', 1, $2, fingerprint, 1, 'return', '{}', amount, currency,
         provider, contract, policy, reason, 'w-' || id, id, 'ch_1'
       from public.intents where id = $1`,
      [id, randomBytes(32)],
    );
  });
  await expect(refunding).rejects.toThrow(/drawn_on_has_succeeded/);
});

it('every function that runs as its owner or reads our tables looks for temporary ones last', async () => {
  const { rows } = await database.owner.query(
    `select proname from pg_proc
     where pronamespace = 'public'::regnamespace
       and (prosecdef or exists (select from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r'
           and prosrc ~ ('\\m(from|join|into|update)\\s+' || relname || '\\M')))
       and not coalesce('search_path=pg_catalog, public, pg_temp' = any (proconfig), false)`,
  );
  expect(rows).toEqual([]);
});
