/** Power losses, orderly stops and freezes of the stack's processes, until told to stop. */
import { setTimeout as pause } from 'node:timers/promises';
import { readReady } from '../local/ready';
import { planBlows, type PlannedBlow } from './plan-blows';

/** Strikes until `signal`; a blow in progress is finished, and what was frozen is thawed. */
export async function strike(
  dataDirectory: string,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<readonly PlannedBlow[]> {
  const struck: PlannedBlow[] = [];
  for (const blow of planBlows(seed)) {
    await quietPause(blow.afterMs, signal);
    if (signal.aborted) break;
    if (await fall(dataDirectory, blow)) struck.push(blow);
  }
  return struck;
}

/** False where the process is not there to be struck: its restart is under way. */
async function fall(dataDirectory: string, blow: PlannedBlow): Promise<boolean> {
  const pid = readReady(dataDirectory)?.pids[blow.process];
  if (pid === undefined || !send(pid, blow.kind)) return false;
  if (blow.kind === 'SIGSTOP') {
    await pause(blow.frozenMs);
    send(pid, 'SIGCONT');
  }
  return true;
}

/** False if there is no such process any more. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

async function quietPause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
