/**
 * Keeps one program of the stack running: starts it, notices that it is ready, starts it again
 * whenever it dies. It never gives up once the stack is up; during the start it gives up loudly.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Child, describeExit, type Command, type Exit } from './child';
import { hasCode } from './json-file';
import { lastLines } from './log-file';
import { CONFIGURATION_EXIT_CODE, messageOf, StartError, toError } from './start-error';

export type ProcessName = 'api' | 'worker' | 'temporal' | 'postgres' | 'simulator';

/** What differs between the children; everything else is the same for all. */
export interface Program {
  readonly name: ProcessName;
  readonly command: Command;
  readonly stopSignal: NodeJS.Signals;
  /** Runs before every start, for what a killed predecessor may have left. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** Resolves when this run of the program is ready; gives up when the signal aborts. */
  readonly untilReady: (child: Child, signal: AbortSignal) => Promise<void>;
}

export interface ProgramObserver {
  readonly spawned: (name: ProcessName, pid: number) => void;
  readonly restarting: (line: string) => void;
  /** The program was up and cannot be kept up: it refuses its configuration, or we have a bug. */
  readonly lost: (error: Error) => void;
}

/**
 * Pauses after the first, second… death without having been ready in between. A first death is
 * repaired at once, a program that cannot live is tried every five seconds.
 */
const PAUSES_MS = [20, 200, 500, 1_000, 2_000, 5_000];

/** During the start this many deaths in a row are a failed start. */
const DEATHS_AT_START = 4;

export class SupervisedProgram {
  readonly program: Program;
  readonly #logPath: string;
  readonly #observer: ProgramObserver;
  readonly #stopping = new AbortController();
  #child: Child | undefined;
  #deathsInARow = 0;
  #wasReady = false;
  #running: Promise<void> = Promise.resolve();

  constructor(program: Program, logPath: string, observer: ProgramObserver) {
    this.program = program;
    this.#logPath = logPath;
    this.#observer = observer;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when the program is ready for the first time; rejects when the start has failed. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#running = this.#keepRunning(resolve).then(
        () => reject(new StartError(`${this.program.name} was stopped before it was ready.`)),
        (error: unknown) => {
          if (this.#wasReady) this.#observer.lost(toError(error));
          reject(toError(error));
        },
      );
    });
  }

  /** Ends the keeping, then the program. True when the program ended by itself in time. */
  async stop(boundMs: number): Promise<boolean> {
    this.#stopping.abort();
    const clean = (await this.#child?.stop(this.program.stopSignal, boundMs)) ?? true;
    await this.#running;
    return clean;
  }

  async #keepRunning(ready: () => void): Promise<void> {
    while (!this.#isStopping()) {
      const trouble = await this.#runOnce(ready);
      if (this.#isStopping()) return;
      const pauseMs = PAUSES_MS[Math.min(this.#deathsInARow, PAUSES_MS.length - 1)] ?? 0;
      this.#deathsInARow += 1;
      if (!this.#wasReady && this.#deathsInARow >= DEATHS_AT_START) throw this.#failure(trouble);
      this.#observer.restarting(
        `${this.program.name} ${trouble}; starting it again (log: ${this.#logPath})`,
      );
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(ignoreAbort);
    }
  }

  /** One life of the program, from spawn to exit; returns how it ended. */
  async #runOnce(ready: () => void): Promise<string> {
    try {
      await this.program.prepare?.(this.#stopping.signal);
    } catch (error) {
      return `could not be prepared: ${messageOf(error)}`;
    }
    if (this.#isStopping()) return 'was stopped';
    const child = new Child(this.program.command, this.#logPath);
    this.#child = child;
    if (child.pid !== undefined) this.#observer.spawned(this.program.name, child.pid);
    const life = new AbortController();
    const probe = this.#untilReady(child, life.signal).then((isReady) => {
      if (isReady) ready();
    });
    // A probe that fails for good (not by the abort below) ends the start at once.
    const exit = await Promise.race([child.exit, probe.then(() => child.exit)]);
    life.abort();
    await probe;
    if (!this.#isStopping()) this.#refuseRestart(exit);
    return describeExit(exit);
  }

  /** False when the life of this run was over first. */
  async #untilReady(child: Child, life: AbortSignal): Promise<boolean> {
    try {
      await this.program.untilReady(child, life);
    } catch (error) {
      if (life.aborted) return false;
      throw error;
    }
    this.#wasReady = true;
    this.#deathsInARow = 0;
    return true;
  }

  #refuseRestart(exit: Exit): void {
    if (exit.code === CONFIGURATION_EXIT_CODE) {
      throw this.#failure('refuses its configuration', CONFIGURATION_EXIT_CODE);
    }
  }

  #failure(trouble: string, exitCode?: number): StartError {
    const said = this.#child === undefined ? [] : lastLines(this.#child.log, 1);
    const quote = said.length === 0 ? '' : `: ${said.join(' ').slice(0, 1_000)}`;
    return new StartError(
      `${this.program.name} ${trouble}${quote} (log: ${this.#logPath})`,
      exitCode,
    );
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}

function ignoreAbort(error: unknown): void {
  if (!hasCode(error, 'ABORT_ERR')) throw error;
}
