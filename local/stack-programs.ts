/** The stack's running programs: each started once, supervised, recorded on disk, and stopped. */
import { join } from 'node:path';
import { Child, describeExit, type Command } from './child';
import { lastLines, rotateLog } from './log-file';
import { ProcessRegistry } from './process-registry';
import type { Progress } from './progress';
import { StartError } from './start-error';
import { SupervisedProgram, type ProcessName, type Program } from './supervised-program';

const READY_WITHIN_MS = 90_000;

/** A one-shot program that is interrupted has only to roll back. */
const GIVE_UP_MS = 2_000;

export interface ProgramsObserver {
  /** Some program has another pid than before. */
  readonly pidChanged: () => void;
  /** A program that was up cannot be kept up. */
  readonly lost: (error: Error) => void;
}

interface Surroundings {
  readonly dataDirectory: string;
  readonly progress: Progress;
  readonly observer: ProgramsObserver;
}

export class StackPrograms {
  readonly #surroundings: Surroundings;
  readonly #registry: ProcessRegistry;
  readonly #programs = new Map<ProcessName, SupervisedProgram>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#registry = new ProcessRegistry(surroundings.dataDirectory);
  }

  /** What a supervisor that was killed has left running on this data directory. */
  async endLeftovers(): Promise<void> {
    const names = await this.#registry.endLeftovers();
    if (names.length === 0) return;
    const line = `  Ended what an earlier start had left running: ${names.join(', ')}`;
    this.#surroundings.progress.line(line);
  }

  /** Resolves when the program is ready; from then on it is kept running until `stop`. */
  async start(program: Program, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { progress, observer } = this.#surroundings;
    const log = this.#rotatedLog(program.name);
    const supervised = new SupervisedProgram(program, log, {
      spawned: (name, pid) => {
        this.#registry.record(name, pid);
        observer.pidChanged();
      },
      restarting: (line) => progress.problem(line),
      lost: observer.lost,
    });
    this.#programs.set(program.name, supervised);
    const late = `${program.name} was not ready within ${READY_WITHIN_MS / 1_000} s (log: ${log})`;
    await within(READY_WITHIN_MS, late, supervised.start());
  }

  /** Runs a program that must come to a good end. */
  async runOnce(name: string, command: Command, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const child = new Child(command, this.#rotatedLog(name));
    if (child.pid !== undefined) this.#registry.record(name, child.pid);
    const interrupt = (): void => void child.stop('SIGTERM', GIVE_UP_MS);
    signal.addEventListener('abort', interrupt);
    const exit = await child.exit;
    signal.removeEventListener('abort', interrupt);
    this.#registry.forget(name);
    signal.throwIfAborted();
    if (exit.code === 0) return;
    const said = lastLines(child.log, 3).join('\n');
    throw new StartError(`${name} ${describeExit(exit)} (log: ${child.log.path}): ${said}`);
  }

  /** Side by side; one that does not end within the bound is killed. */
  async stop(names: readonly ProcessName[], boundMs: number): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const clean = (await this.#programs.get(name)?.stop(boundMs)) ?? true;
        if (!clean) {
          this.#surroundings.progress.problem(`${name} did not stop in time and was killed.`);
        }
      }),
    );
  }

  /** Once nothing runs any more. */
  forgetAll(): void {
    this.#registry.clear();
  }

  pidOf(name: ProcessName): number {
    return this.#programs.get(name)?.pid ?? 0;
  }

  #rotatedLog(name: string): string {
    const path = join(this.#surroundings.dataDirectory, 'logs', `${name}.log`);
    rotateLog(path);
    return path;
  }
}

function within<T>(boundMs: number, message: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StartError(message)), boundMs);
    const done = (): void => clearTimeout(timer);
    work.then(resolve, reject).finally(done);
  });
}
