/**
 * After a SIGKILL of the postmaster. Its backends notice and leave, but one that is busy may stay for
 * a while, and PostgreSQL refuses to start while any of them is attached to the shared memory. The
 * pid file stays too; if the pid has been given to somebody else since, PostgreSQL would take that
 * for a living postmaster. Ending an orphan is safe: the log replay of the next start covers it.
 *
 * Where there is no /proc, PostgreSQL's own checks decide, and the restart is repeated until they pass.
 */
import { readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode, isMissing } from './json-file';
import { StartError } from './start-error';

const LEAVE_BY_THEMSELVES_MS = 250;
const DIE_MS = 5_000;

export async function clearCrashedPostmaster(
  clusterDirectory: string,
  signal: AbortSignal,
): Promise<void> {
  if (process.platform !== 'linux') return;
  const directory = realpathSync(clusterDirectory);
  if (!(await allGone(directory, LEAVE_BY_THEMSELVES_MS, signal))) {
    for (const pid of postgresProcessesIn(directory)) kill(pid);
    if (!(await allGone(directory, DIE_MS, signal))) {
      throw new StartError(`PostgreSQL processes still use ${directory} and cannot be ended.`);
    }
  }
  rmSync(join(directory, 'postmaster.pid'), { force: true });
}

async function allGone(directory: string, boundMs: number, signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + boundMs;
  while (postgresProcessesIn(directory).length > 0) {
    if (Date.now() > end) return false;
    await delay(20, undefined, { signal });
  }
  return true;
}

/** Every PostgreSQL process works in its cluster's directory. A person's shell there is none. */
function postgresProcessesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => linkOf(pid, 'cwd') === directory)
    .filter((pid) => basename(linkOf(pid, 'exe') ?? '').startsWith('postgres'));
}

/** Undefined for a process that has ended or is not ours to look at. */
function linkOf(pid: number, name: 'cwd' | 'exe'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) return undefined;
    if (hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
