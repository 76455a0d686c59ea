/** The benchmark's side of the load process: one job at a time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Where requests go. */
export interface Target {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One request a key, by so many clients. */
export interface Load {
  readonly target: Target;
  readonly clients: number;
  readonly keys: readonly string[];
}

export interface LoadResult {
  readonly elapsedMs: number;
  readonly latenciesMs: readonly number[];
}

export interface LoadProcess {
  /** Throws when an answer was no outcome. */
  readonly run: (load: Load) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
}

type Reply = { readonly result: LoadResult } | { readonly error: string };

/** Starts it. */
export function startLoad(): LoadProcess {
  const child = fork(join(__dirname, 'load.js'));
  const exit = once(child, 'exit');
  return {
    async run(load) {
      child.send(load);
      const ended = exit.then(() => [{ error: 'the load process ended' }] as const);
      const [reply] = (await Promise.race([once(child, 'message'), ended])) as [Reply];
      if ('error' in reply) throw new Error(reply.error);
      return reply.result;
    },
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
