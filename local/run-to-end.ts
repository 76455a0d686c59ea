/** A helper program that runs once and must succeed; its output is only shown when it fails. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './child';
import { hasCode } from './json-file';
import { StartError } from './start-error';

const KEEP_CHARACTERS = 4_000;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote, standard output and error together. */
  readonly output: string;
}

/** Time to clean up after an interruption, before it is killed. */
const GIVE_UP_MS = 2_000;

/**
 * Runs it to its end, whatever that is. Rejects when it cannot be started, or with the signal's reason
 * once it has been interrupted and nothing of it is left; so it runs in a process group of its own
 * (initdb starts other programs).
 */
export async function runToEnd(command: Command, signal?: AbortSignal): Promise<Finished> {
  signal?.throwIfAborted();
  const child = spawn(command.file, command.args, {
    env: command.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...command.user,
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-KEEP_CHARACTERS);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const interruption = interruptGroup(child, signal);
  try {
    const [code, ending] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal?.throwIfAborted();
    return { code, signal: ending, output };
  } finally {
    interruption.end();
  }
}

/** SIGTERM for the whole group when the signal aborts, SIGKILL for those who do not heed it. */
function interruptGroup(child: ChildProcess, signal?: AbortSignal): { end: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    killGroup(child, 'SIGTERM');
    timer = setTimeout(() => killGroup(child, 'SIGKILL'), GIVE_UP_MS);
  };
  signal?.addEventListener('abort', interrupt, { once: true });
  return {
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
    },
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Whoever was left in it has ended by now.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** The same, for programs whose failure ends the start. */
export async function runOrFail(
  what: string,
  command: Command,
  signal: AbortSignal,
): Promise<string> {
  const { code, signal: ending, output } = await runToEnd(command, signal);
  if (code === 0) return output;
  const end = output.trim().split('\n').slice(-5).join('\n');
  throw new StartError(`${what} failed (${ending ?? `exit code ${code ?? 'unknown'}`}): ${end}`);
}
