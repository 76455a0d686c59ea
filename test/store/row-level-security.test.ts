/**
 * INV-11 below the code: what SQL sent as the gateway's role sees and writes, whatever it asks for.
 * Each statement here lacks the tenant's condition on purpose.
 */
import { Client } from 'pg';
import { type Ask, findCaller, findCallersAndIntents } from '../../store/callers';
import { readJournal } from '../../store/load-journal';
import { queryAs, queryAsHolders, type Visibility } from '../../store/query-as';
import { listIntents, readIntent, whichEndedTheWait } from '../../store/read-intents';
import { recordDecision } from '../../store/record-decision';
import { findStatement, type Identity, recordIntent } from '../../store/record-intent';
import { tokenDigest } from '../../store/seed';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

const ACME = { tenant: 'acme' };
const TABLES = ['intents', 'intent_events', 'attempts', 'observations', 'decisions'];
/** The api role puts notifications in by a function and reads none (test/store/notifications.test.ts). */
const INBOX = 'provider_notifications';
/** Of no tenant: for operators alone (test/store/orphan-effects.test.ts). */
const ORPHANS = 'orphan_effects';

let database: FreshDatabase;
/** One intent of each tenant, with a row about it in every table. */
let ours: string;
let theirs: string;

beforeAll(async () => {
  database = await freshDatabase();
  ours = await intentWithEverything('acme');
  theirs = await intentWithEverything('globex');
});
afterAll(() => database.close());

async function intentWithEverything(tenant: string): Promise<string> {
  const key = `${tenant}.w`;
  const { intent } = await recordIntent(database.api, newIntent({ tenant, workflowId: key }));
  const { owner } = database;
  await owner.query(
    `insert into attempts (intent, effect, number, generation, provider_key, reference,
       request_digest, owner, opened_at, send_deadline)
     values ($1, 'apply', 1, 1, 'k', 'r', sha256('x'), 'me', now(), now() + interval '1 second')`,
    [intent.id],
  );
  await owner.query(
    `insert into observations (intent, effect, source, finding, asked_at)
     values ($1, 'apply', 'look_up', '{"kind":"absent"}', now())`,
    [intent.id],
  );
  // Nothing to decide: refused, and on record.
  await recordDecision(database.api, {
    intentId: intent.id,
    decisionId: tenant,
    decision: 'retry',
    override: false,
    evidence: 'e',
    reason: 'r',
    operator: 'olive',
    authenticated: true,
  });
  await owner.query(
    `insert into provider_notifications (provider, event_id, type, body_digest, about, effect)
     values ('sim-full', $1, 't', sha256('x'), $2, 'apply')`,
    [tenant, intent.id],
  );
  return intent.id;
}

async function seen(table: string, visibility: Visibility): Promise<readonly string[]> {
  const column = table === 'intents' ? 'id' : 'intent';
  const { rows } = await queryAs<{ intent: string }>(database.api, visibility, {
    name: `all-of-${table}`,
    text: `select ${column} as intent from ${table}`,
    values: [],
  });
  return rows.map(({ intent }) => intent).sort();
}

test('every table of the schema that a tenant’s rows are in has its policies', async () => {
  const { rows } = await database.owner.query<{ relname: string }>(
    `select relname from pg_class
     where relkind = 'r' and relrowsecurity and relnamespace = 'public'::regnamespace
     order by relname`,
  );
  expect(rows.map(({ relname }) => relname)).toEqual([...TABLES, INBOX, ORPHANS].sort());
});

describe.each(TABLES)('of %s the api role', (table) => {
  test('sees nothing without a tenant', async () => {
    expect((await database.api.query(`select from ${table}`)).rowCount).toBe(0);
  });

  test('sees its tenant’s rows and no others', async () => {
    expect(await seen(table, ACME)).toEqual([ours]);
    expect(await seen(table, { tenant: 'globex' })).toEqual([theirs]);
    expect(await seen(table, { tenant: 'nobody' })).toEqual([]);
  });

  test('sees every tenant’s rows for an operator', async () => {
    expect(await seen(table, 'every-tenant')).toEqual([ours, theirs].sort());
  });
});

describe('the api role cannot', () => {
  const CLAIM = `insert into intents (tenant, operation, operation_version, key_digest, fingerprint,
      fingerprint_version, business_key, params, amount, currency, provider, contract, policy,
      workflow_id, reason)
    select 'globex', operation, 1, sha256('forged'), fingerprint, 1, 'forged', '{}', 1, currency,
      provider, contract, policy, 'forged', reason
    from intents limit 1`;
  const EVENT = `insert into intent_events (intent, tenant, sequence, type, data)
    select id, 'globex', 9, 'forged', '{}' from intents limit 1`;

  test.each([
    ['claim an identity of another tenant', CLAIM, ACME],
    ['claim an identity as an operator', CLAIM, 'every-tenant'],
    ['announce something to another tenant', EVENT, ACME],
    ['announce something as an operator', EVENT, 'every-tenant'],
  ] as const)('%s', async (...row) => {
    const [name, text, visibility] = row;
    await expect(queryAs(database.api, visibility, { name, text, values: [] })).rejects.toThrow(
      /violates row-level security policy/,
    );
  });

  test.each(['api_keys', 'tenants', INBOX])('read %s', async (table) => {
    await expect(database.api.query(`select from ${table}`)).rejects.toThrow(/permission denied/);
  });
});

test('a token names its holder, and only to who has it', async () => {
  await database.owner.query(
    `insert into api_keys (token_digest, tenant, actor, scopes)
     values ($1, 'acme', 'ann', '{charge,read}'), ($2, null, 'olive', '{operate}')`,
    [tokenDigest('ann'), tokenDigest('olive')],
  );
  const find = (token: string) => findCaller(database.api, tokenDigest(token));
  expect(await find('ann')).toEqual({
    ...{ tenant: 'acme', actor: 'ann', scopes: ['charge', 'read'], defaultProvider: 'sim-full' },
  });
  expect(await find('olive')).toMatchObject({ tenant: null, actor: 'olive' });
  expect(await find('nobody')).toBeNull();
});

describe('a caller and what their key already names, in one round trip', () => {
  let identity: Pick<Identity, 'operation' | 'keyDigest'>;
  beforeAll(async () => {
    const { rows } = await database.owner.query<typeof identity>(
      'select operation, key_digest as "keyDigest" from intents where id = $1',
      [ours],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the intent is gone');
    identity = row;
  });
  const ask = (token: string, tenant: string): Ask => ({
    token: tokenDigest(token),
    identity: { ...identity, tenant },
  });
  const recognise = async (token: string, tenant: string) => {
    const [found] = await findCallersAndIntents(database.api, [ask(token, tenant)]);
    return found;
  };

  test('are found for the holder', async () => {
    const found = await recognise('ann', 'acme');
    expect(found?.caller).toEqual(await findCaller(database.api, tokenDigest('ann')));
    expect(found?.existing?.id).toBe(ours);
  });

  test('are nothing at all without a valid token', async () => {
    expect(await recognise('nobody', 'acme')).toEqual({ caller: null, existing: null });
  });

  test('hide a tenant from the tokens of others, whatever was guessed of them', async () => {
    await database.owner.query(
      `insert into api_keys (token_digest, tenant, actor, scopes)
       values ($1, 'globex', 'gil', '{charge}')`,
      [tokenDigest('gil')],
    );
    expect(await recognise('gil', 'acme')).toMatchObject({
      caller: { tenant: 'globex', actor: 'gil' },
      existing: null,
    });
    expect(await recognise('olive', 'acme')).toMatchObject({
      caller: { tenant: null, actor: 'olive' },
      existing: null,
    });
  });

  test('hazard: of many together, none sees what the one before it may see', async () => {
    const asks = [
      ask('ann', 'acme'),
      ask('nobody', 'acme'),
      ask('ann', 'acme'),
      ask('gil', 'acme'),
      ask('ann', 'acme'),
      ask('olive', 'acme'),
      ask('ann', 'acme'),
    ];
    const found = await findCallersAndIntents(database.api, asks);
    expect(found.map(({ caller, existing }) => [caller?.actor, existing?.id])).toEqual([
      ['ann', ours],
      [undefined, undefined],
      ['ann', ours],
      ['gil', undefined],
      ['ann', ours],
      ['olive', undefined],
      ['ann', ours],
    ]);
    // Not by what is left out afterwards: the database itself shows nothing.
    const seen = await queryAsHolders(
      database.api,
      asks.map(({ token, identity: its }) => ({
        tokenDigest: token,
        statement: findStatement(its),
      })),
    );
    expect(seen.map(({ rows }) => rows.length)).toEqual([1, 0, 1, 0, 1, 0, 1]);
  });

  test('end with a revocation, on the connections that have known the token too', async () => {
    await database.owner.query('update api_keys set revoked_at = now() where token_digest = $1', [
      tokenDigest('gil'),
    ]);
    expect((await recognise('gil', 'globex'))?.caller).toBeNull();
  });
});

test('the worker, who acts for all, sees everything', async () => {
  const { rows } = await database.worker.query<{ id: string }>('select id from intents');
  expect(rows.map(({ id }) => id).sort()).toEqual([ours, theirs].sort());
});

describe('the gateway’s reads', () => {
  test('find what is the tenant’s, and nothing else', async () => {
    expect(await readIntent(database.api, ours, ACME)).toMatchObject({ id: ours });
    expect(await readIntent(database.api, theirs, ACME)).toBeNull();
    const page = await listIntents(database.api, ACME, { limit: 10 });
    expect(page.map(({ id }) => id)).toEqual([ours]);
  });

  test('find everything for an operator', async () => {
    expect(await readIntent(database.api, theirs, 'every-tenant')).toMatchObject({ id: theirs });
    expect(await listIntents(database.api, 'every-tenant', { limit: 10 })).toHaveLength(2);
  });

  test('load a journal inside what may be seen', async () => {
    const intent = await readIntent(database.api, ours, ACME);
    if (intent === null) throw new Error('the intent is gone');
    const own = await readJournal(database.api, intent, ACME);
    expect([own.attempts.length, own.observations.length]).toEqual([1, 1]);
    const foreign = await readJournal(database.api, intent, { tenant: 'globex' });
    expect([foreign.attempts, foreign.observations]).toEqual([[], []]);
  });

  test('tell for all tenants which waits are over', async () => {
    const over = async () => whichEndedTheWait(database.api, [ours, theirs]);
    expect(await over()).toEqual([]);
    const { intent } = await recordIntent(database.api, newIntent({ tenant: 'globex' }));
    await database.owner.query(
      "update intents set status = 'failed', version = 2, finalised_at = now() where id = $1",
      [intent.id],
    );
    expect(await whichEndedTheWait(database.api, [ours, intent.id])).toEqual([intent.id]);
  });
});

test('a page of one tenant is read by an index, policies included', async () => {
  const client = new Client(database.apiUrl);
  await client.connect();
  await client.query(
    "begin; set local enable_seqscan = off; select set_config('resolute.tenant', 'acme', true)",
  );
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    "explain select id from intents where tenant = 'acme' order by id desc limit 20",
  );
  await client.end();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(
    /Index (?:Only )?Scan using intents_newest[^]*Index Cond: \(tenant = 'acme'/,
  );
});
