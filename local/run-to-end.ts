/** A helper program that runs once and must succeed; its output is only shown when it fails. */
import { spawn } from 'node:child_process';
import type { Command } from './child';
import { StartError } from './start-error';

const KEEP_CHARACTERS = 4_000;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote, standard output and error together. */
  readonly output: string;
}

/** Runs it to its end, whatever that is; rejects only when it cannot be started or is aborted. */
export function runToEnd(command: Command, signal?: AbortSignal): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.file, command.args, {
      env: command.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      ...(signal === undefined ? {} : { signal }),
      ...command.user,
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-KEEP_CHARACTERS);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code, ending) => resolve({ code, signal: ending, output }));
  });
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
