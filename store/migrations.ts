/**
 * Numbered SQL files, each applied once, in order, in one transaction with its row in
 * `schema_migrations`. An advisory lock (of the transaction, so it also works behind a pooler) lets
 * one migrator at a time work; the others wait and then find nothing to do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ensureRoles, type RolePasswords } from './roles';

/** One numbered file. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** The database was migrated by a newer release than this one. */
export class NewerDatabaseError extends Error {}

/** Any constant will do, as long as every release uses the same. */
const MIGRATION_LOCK = 7_236_174_655;

/** The migrations that this release carries, in order; gaps and double numbers are refused. */
export function readMigrations(folder = join(__dirname, 'migrations')): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((name, index) => {
    const version = Number(name.slice(0, 4));
    if (version !== index + 1) throw new Error(`migration ${name} is out of sequence`);
    return { version, name, sql: readFileSync(join(folder, name), 'utf8') };
  });
}

/** Brings the database up to this release; returns the names of the files applied. */
export async function migrate(
  ownerUrl: string,
  passwords: RolePasswords,
  migrations: readonly Migration[] = readMigrations(),
): Promise<readonly string[]> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'resolute-migrate',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await ensureRoles(client, passwords);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMissing(client, migrations);
    await client.query('commit');
    return applied;
  } finally {
    // An open transaction is rolled back by the server when its connection ends.
    await client.end();
  }
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  await client.query(`create table if not exists schema_migrations (
    version int primary key, name text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  const present = rows[0]?.version ?? 0;
  if (present > migrations.length) {
    throw new NewerDatabaseError(
      `The database is at version ${present}, this release knows ${migrations.length}: deploy the newer release.`,
    );
  }
  const missing = migrations.filter(({ version }) => version > present);
  for (const { version, name, sql } of missing) {
    await client.query('insert into schema_migrations (version, name) values ($1, $2)', [
      version,
      name,
    ]);
    await client.query(sql);
  }
  return missing.map(({ name }) => name);
}
