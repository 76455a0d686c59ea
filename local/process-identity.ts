/**
 * Who a recorded pid was. A pid alone says nothing after a crash or a reboot, since the system gives
 * it to someone else; together with the start time it names one process for ever. Everything that
 * kills or waits for a process of an earlier start goes through here.
 */
import { spawnSync } from 'node:child_process';
import { readTextFile, hasCode } from './json-file';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, compared only for equality; null where the system does not tell. */
  readonly startedAt: string | null;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startTimeOf(pid) };
}

/** True only with proof that the very same process is still there: then it may be killed. */
export function isProvenRunning(identity: ProcessIdentity): boolean {
  if (identity.startedAt === null || !isAlive(identity.pid)) return false;
  return startTimeOf(identity.pid) === identity.startedAt;
}

/** True unless it is proven gone: then its claim on the data directory must be respected. */
export function mayBeRunning(identity: ProcessIdentity): boolean {
  if (!isAlive(identity.pid)) return false;
  const startedAt = startTimeOf(identity.pid);
  return identity.startedAt === null || startedAt === null || startedAt === identity.startedAt;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
  return statFields(pid)?.[0] !== 'Z';
}

/** Linux: boot id and start tick from /proc. Elsewhere: what ps prints, exact to the second. */
function startTimeOf(pid: number): string | null {
  const tick = statFields(pid)?.[19];
  if (tick !== undefined) return `${bootId()}/${tick}`;
  if (process.platform === 'linux') return null;
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const text = ps.status === 0 ? ps.stdout.trim() : '';
  return text === '' ? null : text;
}

/** The fields of /proc/<pid>/stat after the command name, which may itself hold blanks. */
function statFields(pid: number): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readTextFile(`/proc/${pid}/stat`);
    return text?.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    // The process ended between open and read.
    if (hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function bootId(): string {
  return readTextFile('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}
