/**
 * CPU time of processes, from /proc. The kernel counts all threads of a process, and adds a child's
 * time to its parent's when the child is reaped; so a postmaster with its live children is the whole
 * of PostgreSQL, backends that ended included. Elsewhere than on Linux there is no answer.
 */
import { existsSync, readFileSync } from 'node:fs';

/** Linux tells times in units of 1/100 s to every program, whatever its own clock does. */
const TICK_MS = 10;

/** Whether this system tells. */
export function canReadCpu(): boolean {
  return existsSync('/proc/self/stat');
}

/** User and system time of one process, milliseconds. 0 where it is gone. */
export function cpuOf(pid: number): number {
  const { user, system } = statOf(pid);
  return (user + system) * TICK_MS;
}

/** Of a process, its live children, and those that ended. */
export function cpuOfFamily(pid: number): number {
  const { user, system, endedChildren } = statOf(pid);
  const own = (user + system + endedChildren) * TICK_MS;
  return childrenOf(pid).reduce((total, child) => total + cpuOf(child), own);
}

interface Stat {
  readonly user: number;
  readonly system: number;
  readonly endedChildren: number;
}

function statOf(pid: number): Stat {
  const text = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, which may hold anything but is the last ')'.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Numbered as in proc(5), where the state after the name is field 3.
  const field = (number: number): number => Number(fields[number - 3] ?? 0);
  return { user: field(14), system: field(15), endedChildren: field(16) + field(17) };
}

function childrenOf(pid: number): readonly number[] {
  return readProc(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
}

/** The text, or none where the process ended meanwhile. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
