/** PostgreSQL of a stopped stack, alone: for what must happen before gateway and worker come. */
import { join } from 'node:path';
import { Child } from '../local/child';
import { keepCredentials } from '../local/credentials';
import { choosePorts } from '../local/ports';
import { postgresProgram } from '../local/postgres-cluster';
import { databaseUrl, OWNER_ROLE } from '../local/postgres-database';

const STOP_MS = 10_000;

/** Runs it for one piece of work, which gets the owner's connection string. */
export async function withPostgresAlone<Result>(
  dataDirectory: string,
  work: (database: string) => Promise<Result>,
): Promise<Result> {
  const { passwords } = keepCredentials(dataDirectory);
  const wanted = { variable: 'RESOLUTE_DATABASE_PORT', port: 0 };
  const [port = 0] = await choosePorts([wanted]);
  const directory = join(dataDirectory, 'postgres');
  const life = new AbortController();
  const cluster = { directory, port, password: passwords.postgres };
  const program = await postgresProgram(cluster, life.signal);
  const child = new Child(program.command, join(dataDirectory, 'logs', 'postgres-alone.log'));
  try {
    await program.untilReady(child, life.signal);
    return await work(databaseUrl(OWNER_ROLE, passwords.owner, port));
  } finally {
    life.abort();
    await child.stop('SIGINT', STOP_MS);
  }
}
