/** `npm run bench`: starts what it needs, measures, prints, and leaves nothing behind. */
import { cpus, loadavg } from 'node:os';
import pc from 'picocolors';
import { runCampaign, type Watch } from './campaign';
import { goalsOf } from './goals';
import { openLab } from './lab';
import { readOptions, USAGE, type Options } from './options';
import { measureRecovery } from './recovery';
import { figuresTable, goalLines, jsonLines } from './report';
import { figuresOf } from './statistics';
import { type Measurement, OWN_SYSTEMS, type Recovery } from './words';

interface Result {
  readonly measurements: readonly Measurement[];
  readonly recoveries: readonly Recovery[];
}

async function run(options: Options, watch: Watch): Promise<Result> {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  watch.progress(
    `${cpus().length} processors, load average ${load}: others' work blurs the figures`,
  );
  watch.progress('starting the stack and the references');
  const lab = await openLab(options);
  try {
    const measurements = await runCampaign(lab, options, watch);
    const recoveries: Recovery[] = [];
    for (const system of OWN_SYSTEMS) {
      if (options.inFlight === 0 || !options.systems.includes(system)) continue;
      watch.progress(`killing the worker with ${options.inFlight} intents in flight, ${system}`);
      recoveries.push(await measureRecovery(lab, system, options.inFlight));
      watch.signal.throwIfAborted();
    }
    return { measurements, recoveries };
  } finally {
    if (options.keep) watch.progress(`the stack's data is kept in ${lab.dataDirectory}`);
    await lab.close();
  }
}

function print({ measurements, recoveries }: Result, { json }: Options): void {
  const figures = figuresOf(measurements);
  const readable = [
    '',
    figuresTable(figures),
    '',
    ...recoveries.map(recoveryNote),
    '',
    goalLines(goalsOf(measurements, recoveries)),
  ].join('\n');
  if (!json) {
    console.log(readable);
    return;
  }
  console.error(readable);
  console.log(jsonLines(figures, recoveries));
}

function recoveryNote({ system, intents, sending }: Recovery): string {
  return `${system}: worker killed with ${intents} intents in flight, ${sending} of them at the provider`;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(USAGE);
    return;
  }
  const options = readOptions(process.argv.slice(2));
  const result = await run(options, {
    signal: interrupted.signal,
    progress: (line) => console.error(pc.dim(line)),
  });
  print(result, options);
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`stopped by ${signal}`)));
}
main().catch((error: unknown) => {
  // A signal reaches the whole process group: what failed because of it is not worth telling.
  const cause: unknown = interrupted.signal.aborted ? interrupted.signal.reason : error;
  console.error(pc.red(cause instanceof Error ? cause.message : String(cause)));
  process.exitCode = 1;
});
