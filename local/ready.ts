/**
 * ready.json: where everything of a running stack is, and `startStack`, with
 * which tests, demos and benchmarks start a stack of their own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from './credentials';
import { readJsonFile, writeJsonFile } from './json-file';
import { lastLines, sizeOf } from './log-file';
import { DIST, SHARED_CACHE } from './project-root';
import type { ProcessName } from './supervised-program';
import { findTemporalCli } from './temporal-server';

export interface Ready extends Demo {
  readonly api: string;
  readonly desk: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** Connects as the owner of the tables. */
  readonly database: string;
  readonly simulator: string;
  readonly simulator_admin: string;
  readonly pids: Readonly<Record<'supervisor' | ProcessName, number>>;
}

export function readyPath(dataDirectory: string): string {
  return join(dataDirectory, 'ready.json');
}

/** Undefined while the stack is not (or no longer) up. */
export function readReady(dataDirectory: string): Ready | undefined {
  return readJsonFile(readyPath(dataDirectory)) as Ready | undefined;
}

export function writeReady(dataDirectory: string, ready: Ready): void {
  // It holds the tokens and the database's password.
  writeJsonFile(readyPath(dataDirectory), ready, 0o600);
}

export function removeReady(dataDirectory: string): void {
  rmSync(readyPath(dataDirectory), { force: true });
}

export interface StackOptions {
  readonly dataDirectory: string;
  /** Merged over the simulator providers' contracts; see RESOLUTE_SIMULATOR_CONTRACT. */
  readonly contract?: Readonly<Record<string, unknown>>;
  /** Further variables for the supervisor, which hands them on to its children. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface RunningStack {
  /** As of the start; after a child was killed its pid is found by reading again. */
  readonly ready: Ready;
  readonly dataDirectory: string;
  readonly supervisor: ChildProcess;
  /** Ends the stack as SIGTERM does; resolves with the supervisor's exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Starts a stack on free ports from the build in dist/, and waits until all of it answers. */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { dataDirectory } = options;
  const log = { path: join(dataDirectory, 'logs', 'supervisor.log'), offset: 0 };
  mkdirSync(join(dataDirectory, 'logs'), { recursive: true });
  log.offset = sizeOf(log.path);
  const supervisor = await spawnSupervisor(options, log.path);
  const exit = new Promise<number | null>((resolve) => supervisor.once('exit', resolve));
  const stop = (): Promise<number | null> => {
    supervisor.kill('SIGTERM');
    return exit;
  };
  const end = Date.now() + (options.timeoutMs ?? 90_000);
  for (;;) {
    const ready = readReady(dataDirectory);
    if (ready !== undefined && ready.pids.supervisor === supervisor.pid) {
      return { ready, dataDirectory, supervisor, stop };
    }
    if (supervisor.exitCode !== null || supervisor.signalCode !== null || Date.now() > end) {
      await stop();
      const said = lastLines(log, 15).join('\n');
      throw new Error(`The stack on ${dataDirectory} did not start:\n${said}`);
    }
    await delay(30);
  }
}

async function spawnSupervisor(options: StackOptions, logPath: string): Promise<ChildProcess> {
  const main = join(DIST, 'local', 'main.js');
  if (!existsSync(main)) throw new Error('Not built yet: run "node local/bootstrap.mjs build".');
  const environment = {
    ...process.env,
    RESOLUTE_API_PORT: '0',
    RESOLUTE_SIMULATOR_PORT: '0',
    RESOLUTE_TEMPORAL_PORT: '0',
    RESOLUTE_UI_PORT: '0',
    RESOLUTE_DATABASE_PORT: '0',
    RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(options.contract ?? {}),
    // One download for all the stacks of this clone.
    TEMPORAL_CLI: await findTemporalCli({ cacheDirectory: SHARED_CACHE }),
    ...options.environment,
    RESOLUTE_DATA_DIR: options.dataDirectory,
  };
  const output = openSync(logPath, 'a');
  // The pipe closes when this process ends, however it ends: then the supervisor stops too, and a
  // test run that was killed leaves no stack behind.
  const supervisor = spawn(process.execPath, [main, '--stop-with-stdin'], {
    env: environment,
    stdio: ['pipe', output, output],
  });
  closeSync(output);
  return supervisor;
}
