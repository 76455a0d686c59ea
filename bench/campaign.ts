/**
 * The order of things: warm-up, then rounds in which every system has its turn at every number of
 * clients, so that whatever drifts (a filling database, a busy machine) hits all alike.
 */
import { randomUUID } from 'node:crypto';
import { type Lab, type System } from './lab';
import { measure, type Trial } from './measure';
import { type Options } from './options';
import { type Measurement, type SeriesName } from './words';

/** What a campaign is told besides its options. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** Measures everything but recovery. */
export async function runCampaign(
  lab: Lab,
  options: Options,
  { signal, progress }: Watch,
): Promise<readonly Measurement[]> {
  const systems = lab.systems.filter(({ name }) => options.systems.includes(name));
  for (const system of systems) {
    progress(`warm-up: ${options.warmUp} outcomes by ${system.name}`);
    await warmUp(lab, system, options.warmUp);
    signal.throwIfAborted();
  }
  const measurements: Measurement[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const trial of trialsOf(systems, options, round)) {
      const measurement = await measure(lab, trial);
      measurements.push(measurement);
      progress(lineOf(measurement));
      signal.throwIfAborted();
    }
  }
  return measurements;
}

const WARM_UP_CLIENTS = 64;

async function warmUp(lab: Lab, system: System, outcomes: number): Promise<void> {
  if (outcomes === 0) return;
  const trial = { system, keys: newKeys(outcomes), clients: WARM_UP_CLIENTS };
  await measure(lab, { ...trial, series: system.name, round: 0 });
}

/** A round; repeats follow the outcomes that they repeat. */
function trialsOf(
  systems: readonly System[],
  { clients: numbers, outcomes }: Options,
  round: number,
): readonly Trial[] {
  return numbers.flatMap((clients) => {
    const firsts = systems.map((system): Trial => {
      const keys = newKeys(outcomes(clients));
      return { system, series: system.name, clients, round, keys };
    });
    const repeats = firsts.flatMap((trial): Trial[] => {
      const series = REPEATS[trial.system.name];
      return series === undefined ? [] : [{ ...trial, series, keys: repeated(trial.keys) }];
    });
    return [...firsts, ...repeats];
  });
}

const REPEATS: Partial<Readonly<Record<SeriesName, SeriesName>>> = {
  resolute: 'resolute-repeats',
  table: 'table-repeats',
};

/** Repeats are quick: a few of each are over before it is steady. */
const REPEATS_EACH = 16;

function repeated(keys: readonly string[]): readonly string[] {
  return Array.from({ length: REPEATS_EACH }, () => keys).flat();
}

/** UUIDs, as the documentation advises; they also are the ids of the references' workflows. */
function newKeys(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomUUID());
}

function lineOf({ series, clients, round, ...one }: Measurement): string {
  const rate = ((one.latenciesMs.length / one.elapsedMs) * 1_000).toFixed(1);
  const after =
    one.afterworkMs > 500 ? `, then ${(one.afterworkMs / 1_000).toFixed(1)} s more` : '';
  return `round ${round}, C = ${clients}: ${series} ${rate}/s${after}`;
}
