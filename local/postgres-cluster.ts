/** The database cluster in the data directory: made once, run as one program of the stack. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quietEnvironment } from './environment';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { clearCrashedPostmaster } from './postgres-crash';
import { untilQueriesWork } from './postgres-database';
import { postgresUser, runAs, type PostgresUser } from './postgres-user';
import { LOOPBACK } from './ports';
import { runOrFail } from './run-to-end';
import type { Program } from './supervised-program';

export interface Cluster {
  readonly directory: string;
  readonly port: number;
  /** Of the superuser `postgres`, whom only this stack uses. */
  readonly password: string;
}

/** Makes the cluster when there is none and returns the program that serves it. */
export async function postgresProgram(cluster: Cluster, signal: AbortSignal): Promise<Program> {
  const binaries = findPostgresBinaries();
  const user = postgresUser(cluster.directory);
  if (!existsSync(cluster.directory)) await initialise(cluster, { binaries, user, signal });
  const program = runAs(user, { file: binaries.postgres, args: serverArguments(cluster) }, [
    binaries.postgres,
    cluster.directory,
  ]);
  return {
    name: 'postgres',
    command: { ...program, environment: quietEnvironment({ LC_ALL: 'C' }), cwd: '/' },
    // Fast shutdown: clients are disconnected, the cluster is left clean.
    stopSignal: 'SIGINT',
    prepare: (stopping) => clearCrashedPostmaster(cluster.directory, stopping),
    untilReady: (_child, life) => untilQueriesWork(cluster, life),
  };
}

function serverArguments({ directory, port }: Cluster): string[] {
  const settings = {
    port: String(port),
    listen_addresses: LOOPBACK,
    // Socket paths are limited to about 100 bytes; a data directory may be deeper than that.
    unix_socket_directories: '',
    max_connections: '100',
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return ['-D', directory, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
}

interface Making {
  readonly binaries: PostgresBinaries;
  readonly user: PostgresUser | undefined;
  readonly signal: AbortSignal;
}

/**
 * Beside its final place and then renamed: a start killed half-way leaves no half cluster. Under a name
 * of this process, as the initdb of a killed start may still be writing under its own.
 */
async function initialise(cluster: Cluster, { binaries, user, signal }: Making): Promise<void> {
  const draft = `${cluster.directory}.new.${process.pid}`;
  const passwordFile = `${draft}.password`;
  removeDrafts(cluster.directory);
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (user !== undefined) {
    chownSync(draft, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  try {
    const args = initdbArguments(draft, passwordFile);
    const program = runAs(user, { file: binaries.initdb, args }, [binaries.initdb, draft]);
    const environment = quietEnvironment({ LC_ALL: 'C' });
    await runOrFail('initdb', { ...program, environment, cwd: '/' }, signal);
    renameSync(draft, cluster.directory);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Those of starts that were killed; their initdb may have a last file to write. */
function removeDrafts(directory: string): void {
  const parent = dirname(directory);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${basename(directory)}.new.`)) continue;
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The builtin provider sorts alike on every system, whatever locales it has installed. */
function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
}
