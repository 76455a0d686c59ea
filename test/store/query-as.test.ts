/** A statement and the tenant for whom it is sent: one transaction, and nothing left behind. */
import { type PoolClient } from 'pg';
import { queryAs } from '../../store/query-as';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

const WHO = {
  name: 'who',
  text: "select current_setting('resolute.tenant', true) as tenant, $1::int8 as number",
  values: [7],
};

let database: FreshDatabase;
let client: PoolClient;
beforeAll(async () => {
  database = await freshDatabase();
});
beforeEach(async () => {
  client = await database.api.connect();
});
afterEach(() => client.release(true));
afterAll(() => database.close());

async function tenantNow(): Promise<string | null> {
  const { rows } = await client.query<{ tenant: string | null }>(
    "select nullif(current_setting('resolute.tenant', true), '') as tenant",
  );
  return rows[0]?.tenant ?? null;
}

test('the tenant is set before the statement begins, and its result is the statement’s alone', async () => {
  const result = await queryAs(client, { tenant: 'acme' }, WHO);
  expect(result.rows).toEqual([{ tenant: 'acme', number: 7 }]);
  expect([result.command, result.rowCount]).toEqual(['SELECT', 1]);
});

test('it is gone with the statement, whether that worked or not', async () => {
  await queryAs(client, { tenant: 'acme' }, WHO);
  expect(await tenantNow()).toBeNull();
  const broken = { name: 'broken', text: 'select 1 / $1::int', values: [0] };
  await expect(queryAs(client, { tenant: 'acme' }, broken)).rejects.toThrow(/division by zero/);
  expect(await tenantNow()).toBeNull();
});

test('each statement has its own, in turn on one connection', async () => {
  const tenants = ['acme', 'globex', '*', 'acme'];
  const answers: (string | undefined)[] = [];
  for (const tenant of tenants) {
    const { rows } = await queryAs<{ tenant: string }>(client, { tenant }, WHO);
    answers.push(rows[0]?.tenant);
  }
  expect(answers).toEqual(tenants);
});

test('in an open transaction it holds until the end', async () => {
  await client.query('begin');
  await queryAs(client, { tenant: 'acme' }, WHO);
  expect(await tenantNow()).toBe('acme');
  await client.query('rollback');
  expect(await tenantNow()).toBeNull();
});

test('a tenant is data, whatever it spells', async () => {
  const tenant = "x', true); drop table intents; --";
  expect((await queryAs(client, { tenant }, WHO)).rows).toEqual([{ tenant, number: 7 }]);
});

test('a statement that failed to parse is parsed anew once it can be', async () => {
  const late = { name: 'late', text: 'select n from late where n = $1', values: [1] };
  const run = () => queryAs(client, { tenant: 'acme' }, late);
  await expect(run()).rejects.toThrow(/relation "late" does not exist/);
  await database.owner.query('create table late (n int); grant select on late to resolute_api');
  expect((await run()).rows).toEqual([]);
  // And one that failed later is not prepared twice under one name.
  const refused = { ...late, values: ['no number'] };
  await expect(queryAs(client, { tenant: 'acme' }, refused)).rejects.toThrow(/invalid input/);
  expect((await run()).rows).toEqual([]);
});

test('a pool takes its connection back after success and failure', async () => {
  const broken = { name: 'pool-broken', text: 'select 1 / $1::int', values: [0] };
  for (let round = 0; round < database.api.options.max + 1; round += 1) {
    await expect(queryAs(database.api, { tenant: 'acme' }, broken)).rejects.toThrow(/division/);
    await queryAs(database.api, { tenant: 'acme' }, WHO);
  }
  expect(database.api.waitingCount).toBe(0);
});
