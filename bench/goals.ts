/** The goals of the benchmark: ratios within one run, and two absolute bounds. Pure. */
import { figuresOf, median, medianLatency, pairedRatios, throughput } from './statistics';
import { type CpuTimes, type Measurement, type Recovery } from './words';

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

/** Every goal with what the run says about it. */
export function goalsOf(
  measurements: readonly Measurement[],
  recovery: Recovery | null,
): readonly Goal[] {
  const ratio = pairedWith(measurements);
  return [
    ratio('throughput at C = 64, of the naive workflow', { to: 'naive-temporal', bound: 1 }),
    ratio('throughput at C = 64, of the empty workflow', { to: 'empty-temporal', bound: 0.7 }),
    {
      ...ratioGoal('p50 at C = 1, of the naive workflow', 1, latencyRatios(measurements)),
      atMost: true,
    },
    ratio("repeats per second at C = 64, of the table's", {
      of: 'resolute-repeats',
      to: 'table-repeats',
      bound: 0.5,
    }),
    ownCpuGoal(measurements),
    recoveryGoal(recovery),
  ];
}

type Sides = Pick<Parameters<typeof pairedRatios>[1], 'to'> & {
  readonly of?: 'resolute-repeats';
  readonly bound: number;
};

function pairedWith(measurements: readonly Measurement[]) {
  return (text: string, { of, to, bound }: Sides): Goal => {
    const comparison = { of: of ?? 'resolute', to, clients: MANY, by: throughput } as const;
    return ratioGoal(text, bound, pairedRatios(measurements, comparison));
  };
}

function latencyRatios(measurements: readonly Measurement[]): readonly number[] {
  return pairedRatios(measurements, {
    of: 'resolute',
    to: 'naive-temporal',
    clients: 1,
    by: medianLatency,
  });
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
function ownCpuGoal(measurements: readonly Measurement[]): Goal {
  const figures = figuresOf(measurements).filter(({ clients }) => clients === MANY);
  const cpuOf = (series: string): CpuTimes | null =>
    figures.find((one) => one.series === series)?.cpuMs ?? null;
  const [own, naive] = [cpuOf('resolute'), cpuOf('naive-temporal')];
  return {
    text: 'own CPU per outcome at C = 64 beyond the naive workflow (gateway, worker, PostgreSQL)',
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

function recoveryGoal(recovery: Recovery | null): Goal {
  return {
    text: `worker killed, all ${recovery?.intents ?? ''} in flight resolved`.replace('  ', ' '),
    bound: 7_000,
    atMost: true,
    unit: 'ms',
    value: recovery === null ? null : Math.max(...recovery.resolvedAfterMs),
    spread: null,
  };
}
