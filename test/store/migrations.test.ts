/** Migrations: one at a time, once each, never backwards. */
import { migrate, NewerDatabaseError, readMigrations } from '../../store/migrations';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const extra = (version: number) => ({
  version,
  name: `${String(version).padStart(4, '0')}_extra.sql`,
  sql: `create table extra_${version} (id int)`,
});

it('applies nothing a second time', async () => {
  expect(await migrate(database.ownerUrl, database.passwords)).toEqual([]);
});

it('two migrators at once: one applies, the other finds nothing to do', async () => {
  const carried = readMigrations();
  const release = [...carried, extra(carried.length + 1)];
  const applied = await Promise.all([
    migrate(database.ownerUrl, database.passwords, release),
    migrate(database.ownerUrl, database.passwords, release),
  ]);
  expect(applied.flat()).toEqual([extra(carried.length + 1).name]);
});

it('refuses a database that a newer release migrated, and says what to do', async () => {
  await expect(
    migrate(database.ownerUrl, database.passwords, readMigrations().slice(0, 1)),
  ).rejects.toThrow(NewerDatabaseError);
});

it('a failing migration leaves nothing behind', async () => {
  const carried = readMigrations();
  const count = carried.length + 1;
  const broken = {
    version: count + 1,
    name: 'broken.sql',
    sql: 'create table half (id int); oops',
  };
  await expect(
    migrate(database.ownerUrl, database.passwords, [...carried, extra(count), broken]),
  ).rejects.toThrow(/syntax error/);
  const { rows } = await database.owner.query(
    "select to_regclass('half') as half, max(version) as version from schema_migrations",
  );
  expect(rows).toEqual([{ half: null, version: count }]);
});
