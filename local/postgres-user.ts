/**
 * Whom PostgreSQL runs as. It refuses to run as root, which containers and CI usually are; then it
 * runs as `nobody`, who exists everywhere, so that a start changes nothing on the machine outside
 * the data directory. An existing cluster keeps its owner.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Command } from './child';
import { isMissing } from './json-file';
import { StartError } from './start-error';

export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

type Program = Pick<Command, 'file' | 'args' | 'user'>;

/** The user, or undefined when PostgreSQL can run as whoever we are. */
export function postgresUser(clusterDirectory: string): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return ownerOf(clusterDirectory) ?? { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * The clone or the data directory may lie below a directory that only root may enter (mktemp -d
 * makes such ones). Then, and only then, PostgreSQL keeps the one privilege of passing through
 * directories; it still owns nothing but its cluster.
 */
export function runAs(
  user: PostgresUser | undefined,
  program: { file: string; args: readonly string[] },
  paths: readonly string[],
): Program {
  if (user === undefined) return program;
  if (mayReach(paths, { file: 'test', args: [], user })) return { ...program, user };
  for (const privilege of ['dac_read_search', 'dac_override']) {
    const options = keepingPrivilege(user, privilege);
    if (mayReach(paths, { file: 'setpriv', args: [...options, 'test'] })) {
      return { file: 'setpriv', args: [...options, program.file, ...program.args] };
    }
  }
  throw new StartError(
    `PostgreSQL cannot run as root, and user ${user.uid} may not enter ${paths.join(' or ')}. Install util-linux (setpriv), start as another user, or use directories that others may enter (RESOLUTE_DATA_DIR).`,
  );
}

/** Without no_setuid_fixup, access(2), with which PostgreSQL checks its files, ignores privileges. */
function keepingPrivilege({ uid, gid }: PostgresUser, privilege: string): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=+${privilege}`,
    `--ambient-caps=+${privilege}`,
  ];
}

/** Tried rather than computed from modes: access lists and mounts count too. */
function mayReach(paths: readonly string[], how: Program): boolean {
  return paths.every((path) => {
    const { status } = spawnSync(how.file, [...how.args, '-x', path], { cwd: '/', ...how.user });
    return status === 0;
  });
}

function ownerOf(clusterDirectory: string): PostgresUser | undefined {
  try {
    const { uid, gid } = statSync(clusterDirectory);
    return uid === 0 ? undefined : { uid, gid };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function idOf(option: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [option, 'nobody'], { encoding: 'utf8' });
  if (status === 0) return Number(stdout.trim());
  throw new StartError(
    'PostgreSQL cannot run as root, and this system has no user "nobody": start as another user.',
  );
}
