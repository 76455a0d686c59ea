/** The goals of the benchmark: ratios within one run, and two absolute bounds. Pure. */
import {
  type Comparison,
  figuresOf,
  median,
  medianLatency,
  pairedRatios,
  throughput,
} from './statistics';
import {
  type CpuTimes,
  type Measurement,
  OWN_SYSTEMS,
  type OwnSystem,
  type Recovery,
} from './words';

export interface Goal {
  readonly text: string;
  readonly bound: number;
  readonly atMost: boolean;
  readonly unit: '×' | 'ms';
  /** Median of the rounds; null where the run did not measure it. */
  readonly value: number | null;
  /** Lowest and highest round. */
  readonly spread: readonly [number, number] | null;
}

/** A goal that was not measured was not met either. */
export function isMet({ value, bound, atMost }: Goal): boolean {
  if (value === null) return false;
  return atMost ? value <= bound : value >= bound;
}

/** Many clients: the machine is saturated, so that throughput shows cost. */
const MANY = 64;

const HOW: Readonly<Record<OwnSystem, string>> = {
  resolute: 'sent as an activity',
  'resolute-local': 'sent as a local activity',
};

/** Every goal with what the run says about it. */
export function goalsOf(
  measurements: readonly Measurement[],
  recoveries: readonly Recovery[],
): readonly Goal[] {
  const repeats = { of: 'resolute-repeats', to: 'table-repeats' } as const;
  return [
    ...OWN_SYSTEMS.flatMap((of) => [
      ...ratioGoals(measurements, of),
      ownCpuGoal(measurements, of),
      recoveryGoal(recoveries, of),
    ]),
    ratioGoal(
      "repeats per second at C = 64, of the table's",
      0.5,
      manyRatios(measurements, repeats),
    ),
  ];
}

function ratioGoals(measurements: readonly Measurement[], of: OwnSystem): readonly Goal[] {
  const naive = { of, to: 'naive-temporal' } as const;
  const empty = { of, to: 'empty-temporal' } as const;
  const alone = { ...naive, clients: 1, by: medianLatency };
  const how = HOW[of];
  return [
    ratioGoal(
      `${how}: throughput at C = 64, of the naive workflow`,
      1,
      manyRatios(measurements, naive),
    ),
    ratioGoal(
      `${how}: throughput at C = 64, of the empty workflow`,
      0.7,
      manyRatios(measurements, empty),
    ),
    {
      ...ratioGoal(
        `${how}: p50 at C = 1, of the naive workflow`,
        1,
        pairedRatios(measurements, alone),
      ),
      atMost: true,
    },
  ];
}

function manyRatios(
  measurements: readonly Measurement[],
  sides: Pick<Comparison, 'of' | 'to'>,
): readonly number[] {
  return pairedRatios(measurements, { ...sides, clients: MANY, by: throughput });
}

function ratioGoal(text: string, bound: number, ratios: readonly number[]): Goal {
  const isMeasured = ratios.length > 0;
  return {
    text,
    bound,
    atMost: false,
    unit: '×',
    value: isMeasured ? median(ratios) : null,
    spread: isMeasured ? [Math.min(...ratios), Math.max(...ratios)] : null,
  };
}

/**
 * Temporal's share of our gateway and worker is what the naive workflow's server and worker cost:
 * the same start, workflow tasks, activity and provider call. What is beyond is our own.
 */
function ownCpuGoal(measurements: readonly Measurement[], of: OwnSystem): Goal {
  const figures = figuresOf(measurements).filter(({ clients }) => clients === MANY);
  const cpuOf = (series: string): CpuTimes | null =>
    figures.find((one) => one.series === series)?.cpuMs ?? null;
  const [own, naive] = [cpuOf(of), cpuOf('naive-temporal')];
  return {
    text: `${HOW[of]}: own CPU per outcome at C = 64 beyond the naive workflow (gateway, worker, PostgreSQL)`,
    bound: 4,
    atMost: true,
    unit: 'ms',
    value: own === null || naive === null ? null : outsideTemporal(own) - outsideTemporal(naive),
    spread: null,
  };
}

function outsideTemporal({ server, worker, postgres }: CpuTimes): number {
  return server + worker + postgres;
}

function recoveryGoal(recoveries: readonly Recovery[], of: OwnSystem): Goal {
  const recovery = recoveries.find(({ system }) => system === of);
  return {
    text: `${HOW[of]}: worker killed, all ${recovery?.intents ?? ''} in flight resolved`.replace(
      '  ',
      ' ',
    ),
    bound: 7_000,
    atMost: true,
    unit: 'ms',
    value: recovery === undefined ? null : Math.max(...recovery.resolvedAfterMs),
    spread: null,
  };
}
