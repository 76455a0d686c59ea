/** What the cluster must hold before the migrations run: the owner role and the database. */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { hasCode } from './json-file';
import { LOOPBACK } from './ports';
import { StartError } from './start-error';

const DATABASE = 'resolute';
/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01';

export const OWNER_ROLE = 'resolute_owner';

interface Server {
  readonly port: number;
  readonly password: string;
}

export function databaseUrl(role: string, password: string, port: number): string {
  return `postgres://${role}:${password}@${LOOPBACK}:${port}/${DATABASE}`;
}

/** Resolves when the server answers a query. */
export async function untilQueriesWork(server: Server, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await withAdministrator(server, (client) => client.query('select 1'));
      return;
    } catch (error) {
      if (hasCode(error, WRONG_PASSWORD)) {
        throw new StartError(
          'The database does not accept the password in credentials.json: the file and the cluster do not belong together. Restore it, or start with an empty data directory.',
        );
      }
    }
    await delay(30, undefined, { signal });
  }
}

/** Idempotent, as it runs at every start; it also repairs a role whose password differs. */
export async function ensureDatabase(server: Server, ownerPassword: string): Promise<void> {
  await withAdministrator(server, async (client) => {
    const password = client.escapeLiteral(ownerPassword);
    const exists = await client.query('select from pg_roles where rolname = $1', [OWNER_ROLE]);
    const verb = exists.rowCount === 0 ? 'create' : 'alter';
    // It creates the API's and the worker's roles, and tests clone databases under it.
    await client.query(`${verb} role ${OWNER_ROLE} login createrole createdb password ${password}`);
    const database = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (database.rowCount === 0) {
      await client.query(`create database ${DATABASE} owner ${OWNER_ROLE}`);
    }
  });
}

async function withAdministrator<T>(server: Server, use: (client: Client) => Promise<T>) {
  const client = new Client({
    host: LOOPBACK,
    port: server.port,
    user: 'postgres',
    password: server.password,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  // A connection that breaks between two queries fails the next query; alone it is no event.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
