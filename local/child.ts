/** One child process: spawned into its log file, waited for, stopped within a bound. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sizeOf } from './log-file';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Another user to run as; only root can ask for it. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when the program could not even be started. */
  readonly error?: Error;
}

export class Child {
  readonly pid: number | undefined;
  readonly exit: Promise<Exit>;
  /** What this run wrote begins here in the log. */
  readonly log: { readonly path: string; readonly offset: number };
  readonly #process: ChildProcess;

  constructor(command: Command, logPath: string) {
    this.log = { path: logPath, offset: sizeOf(logPath) };
    const output = openSync(logPath, 'a');
    // Detached: a Ctrl-C in the terminal reaches npm and the supervisor only, so that the children
    // stop in our order and not all at once.
    this.#process = spawn(command.file, command.args, {
      env: command.environment,
      detached: true,
      stdio: ['ignore', output, output],
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      ...command.user,
    });
    closeSync(output);
    this.pid = this.#process.pid;
    this.exit = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve({ code: null, signal: null, error }));
      this.#process.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Asks it to stop and kills it when it has not within the bound. True when it stopped itself. */
  async stop(signal: NodeJS.Signals, boundMs: number): Promise<boolean> {
    this.#process.kill(signal);
    const bound = new AbortController();
    const late = delay(boundMs, 'late' as const, { signal: bound.signal }).catch(() => 'late');
    const first = await Promise.race([this.exit, late]);
    bound.abort();
    if (first !== 'late') return true;
    this.#process.kill('SIGKILL');
    await this.exit;
    return false;
  }
}

export function describeExit(exit: Exit): string {
  if (exit.error !== undefined) return `could not be started: ${exit.error.message}`;
  if (exit.signal !== null) return `was killed by ${exit.signal}`;
  return `exited with code ${exit.code ?? 'unknown'}`;
}
