/**
 * `npm start`: runs the stack in the foreground until SIGINT, SIGTERM or the end of the terminal.
 * With `--stop-with-stdin` it also stops when whoever holds the other end of standard input ends.
 */
import { once } from 'node:events';
import { inspect } from 'node:util';
import pc from 'picocolors';
import { Progress } from './progress';
import { PROJECT_ROOT } from './project-root';
import { readyPath } from './ready';
import { readSettings } from './settings';
import { Stack } from './stack';
import { StartError } from './start-error';
import { welcome } from './welcome';

/** The reason to end when nothing is wrong. */
const ASKED = Symbol('asked to stop');

async function main(progress: Progress): Promise<number> {
  const settings = readSettings(process.env, PROJECT_ROOT);
  // Aborted once, by the first reason to end; later ones (npm passes a Ctrl-C on, so it comes twice)
  // find it done.
  const ending = new AbortController();
  listenForStop((reason) => ending.abort(reason));
  const stack = new Stack(settings, progress, (error) => ending.abort(error));
  const started = stack.start().then(
    (ready) => progress.line(welcome(ready, readyPath(settings.dataDirectory))),
    (error: unknown) => ending.abort(error),
  );
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  const reason: unknown = ending.signal.reason;
  progress.problem(reason === ASKED ? 'Stopping…' : describe(reason));
  await stack.stop();
  await started;
  return exitCodeFor(reason);
}

function listenForStop(end: (reason: unknown) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(ASKED));
  }
  process.on('uncaughtException', end);
  // Nobody reads any more (a closed terminal, `| head`): no reason to end.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (process.env['npm_lifecycle_event'] !== undefined) endWithParent(() => end(ASKED));
  if (process.argv.includes('--stop-with-stdin')) {
    process.stdin.resume().once('end', () => end(ASKED));
  }
}

/** An npm that was killed outright passes no signal on; no stack may stay behind it unseen. */
function endWithParent(end: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 200).unref();
}

function describe(error: unknown): string {
  return pc.red(error instanceof StartError ? error.message : inspect(error));
}

function exitCodeFor(reason: unknown): number {
  if (reason === ASKED) return 0;
  return reason instanceof StartError ? reason.exitCode : 1;
}

const progress = new Progress();
main(progress).then(
  (code) => process.exit(code),
  (error: unknown) => {
    progress.problem(describe(error));
    process.exit(exitCodeFor(error));
  },
);
