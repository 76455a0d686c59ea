/** The words of the benchmark: what is measured, and what a measurement is. */

/** Ourselves, by how a new intent is sent first: as an activity, or as a local one. */
export const OWN_SYSTEMS = ['resolute', 'resolute-local'] as const;
export type OwnSystem = (typeof OWN_SYSTEMS)[number];

/** Those who are measured: ourselves and the three references. */
export const SYSTEMS = [...OWN_SYSTEMS, 'table', 'naive-temporal', 'empty-temporal'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/** Processes whose CPU time is told apart; `server` is the gateway or a reference's HTTP server. */
export const PROCESSES = ['server', 'worker', 'temporal', 'postgres', 'provider'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** CPU milliseconds by process. */
export type CpuTimes = Readonly<Record<ProcessName, number>>;

/** Repeats of keys that have their outcome are a series of their own. */
export type SeriesName = SystemName | 'resolute-repeats' | 'table-repeats';

/** One series in one round: a fixed number of outcomes by a fixed number of clients. */
export interface Measurement {
  readonly series: SeriesName;
  readonly clients: number;
  readonly round: number;
  readonly elapsedMs: number;
  readonly latenciesMs: readonly number[];
  /** Null where the system does not tell. */
  readonly cpuMs: CpuTimes | null;
  /** How long the processes went on working after the last answer. */
  readonly afterworkMs: number;
}

/** How a worker's death was survived. */
export interface Recovery {
  readonly system: OwnSystem;
  readonly intents: number;
  /** Of them, attempts open at the provider when the worker was killed. */
  readonly sending: number;
  /** From the kill to each intent's outcome. */
  readonly resolvedAfterMs: readonly number[];
}
