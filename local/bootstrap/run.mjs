// Running other programs: the steps of the way, whose output only matters when they fail, and in the
// end the command itself.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { Failure } from './failure.mjs';
import { showProgress } from './progress.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

let step;
let exitCodeAfterSignal;

/** Until the command itself runs, a signal ends the step that is under way, and us with this code. */
export function endOnSignals(exitCode) {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      exitCodeAfterSignal = exitCode;
      if (step === undefined) process.exit(exitCode);
      step.kill(signal);
    });
  }
}

/** Runs one step; throws with its output and the advice when it fails. */
export async function runStep({ title, advice }, { file, args, cwd }) {
  const done = showProgress(title);
  step = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [step.stdout, step.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const end = await new Promise((resolve) => {
    step.once('error', (error) => resolve({ error }));
    step.once('close', (code, signal) => resolve({ code, signal }));
  });
  step = undefined;
  done();
  if (exitCodeAfterSignal !== undefined) process.exit(exitCodeAfterSignal);
  if (end.code === 0) return;
  const why = end.error?.message ?? end.signal ?? `exit code ${end.code}`;
  throw new Failure(`${output.trim()}\n${title} failed (${why}). ${advice}`);
}

/**
 * Goes on as the command, in this very process: what npm signals, waits for and takes the exit code
 * from is then the command, with nobody in between who could be killed alone.
 */
export async function becomeCommand(script, args) {
  process.argv = [process.execPath, script, ...args];
  const ours = SIGNALS.map((signal) => [signal, process.listeners(signal)]);
  await import(pathToFileURL(script).href);
  // Only now, so that there is no moment in which a signal finds nobody.
  for (const [signal, listeners] of ours) {
    for (const listener of listeners) process.removeListener(signal, listener);
  }
}
