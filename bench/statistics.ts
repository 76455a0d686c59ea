/** From measurements to figures. Pure. */
import { PROCESSES, type CpuTimes, type Measurement, type SeriesName } from './words';

/** A series at one number of clients, all rounds together. */
export interface Figures {
  readonly series: SeriesName;
  readonly clients: number;
  readonly outcomesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Per outcome. */
  readonly cpuMs: CpuTimes | null;
  readonly afterworkMs: number;
}

/** Nearest rank: a value that was really measured, for example `percentile(latencies, 0.99)`. */
export function percentile(values: readonly number[], rank: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(rank * sorted.length), 1) - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  // Nearest rank from below and from above meet in the middle of an even number of values.
  return (percentile(values, 0.5) + percentile(values, 0.5 + 0.5 / values.length)) / 2;
}

/** One line a series and number of clients, in the order of their first measurement. */
export function figuresOf(measurements: readonly Measurement[]): readonly Figures[] {
  const groups = new Map<string, Measurement[]>();
  for (const one of measurements) {
    const name = `${one.series} ${one.clients}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()].flatMap(pooled);
}

function pooled(rounds: readonly Measurement[]): Figures[] {
  const [first] = rounds;
  if (first === undefined) return [];
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  const elapsedMs = sum(rounds.map((round) => round.elapsedMs));
  return [
    {
      series: first.series,
      clients: first.clients,
      outcomesPerSecond: (latencies.length / elapsedMs) * 1_000,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      cpuMs: cpuPerOutcome(rounds, latencies.length),
      afterworkMs: Math.max(...rounds.map((round) => round.afterworkMs)),
    },
  ];
}

function cpuPerOutcome(rounds: readonly Measurement[], outcomes: number): CpuTimes | null {
  const known = rounds.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  if (known.length < rounds.length) return null;
  const of = (name: keyof CpuTimes): number => sum(known.map((cpu) => cpu[name])) / outcomes;
  return {
    server: of('server'),
    worker: of('worker'),
    temporal: of('temporal'),
    postgres: of('postgres'),
    provider: of('provider'),
  };
}

/** All processes together. */
export function totalCpu(cpu: CpuTimes): number {
  return sum(PROCESSES.map((name) => cpu[name]));
}

/** What of a measurement two series are compared by. */
export const throughput = (one: Measurement): number => one.latenciesMs.length / one.elapsedMs;
export const medianLatency = (one: Measurement): number => percentile(one.latenciesMs, 0.5);

/** A comparison: who is divided by whom, at how many clients. */
export interface Comparison {
  readonly of: SeriesName;
  readonly to: SeriesName;
  readonly clients: number;
  readonly by: (one: Measurement) => number;
}

/**
 * One ratio a round, since the two were measured minutes apart at most: whatever slows the machine
 * down for longer than that hits both alike. Rounds that lack one of them are left out.
 */
export function pairedRatios(
  measurements: readonly Measurement[],
  { of, to, clients, by }: Comparison,
): readonly number[] {
  const at = measurements.filter((one) => one.clients === clients);
  return at
    .filter(({ series }) => series === of)
    .flatMap((own) => {
      const other = at.find((one) => one.series === to && one.round === own.round);
      return other === undefined ? [] : [by(own) / by(other)];
    });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
