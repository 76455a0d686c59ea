/**
 * One measurement: CPU times before, the load, CPU times after. "After" is when the processes have
 * come to rest: our answer leaves before the workflow has closed, and that work belongs to us and not
 * to whoever is measured next.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Lab, type System } from './lab';
import { canReadCpu, cpuOf, cpuOfFamily } from './processor-time';
import { type CpuTimes, type Measurement } from './words';

/** Whom to load, how, and what to call it. */
export interface Trial extends Pick<Measurement, 'series' | 'clients' | 'round'> {
  readonly system: System;
  readonly keys: readonly string[];
}

/** Runs one trial. Throws when an answer was no outcome. */
export async function measure(
  lab: Lab,
  { system, keys, series, clients, round }: Trial,
): Promise<Measurement> {
  const before = cpuTimes(system);
  const { elapsedMs, latenciesMs } = await lab.load.run({ target: system.target, clients, keys });
  const afterworkMs = await untilAtRest(system);
  const after = cpuTimes(system);
  const cpuMs = before === null || after === null ? null : difference(after, before);
  return { series, clients, round, elapsedMs, latenciesMs, cpuMs, afterworkMs };
}

const WATCH_MS = 250;
/** Idle pollers and timers use less than a tenth of one processor. */
const REST_SHARE = 0.1;
const REST_WITHIN_MS = 20_000;

async function untilAtRest(system: System): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const before = cpuTimes(system);
    await delay(WATCH_MS);
    const after = cpuTimes(system);
    // Where CPU times are not told, a fixed pause must do.
    if (before === null || after === null) return pauseInstead();
    const elapsed = performance.now() - begun;
    const { server, worker, temporal } = difference(after, before);
    const isAtRest = server + worker + temporal <= WATCH_MS * REST_SHARE;
    if (isAtRest || elapsed > REST_WITHIN_MS) return elapsed - WATCH_MS;
  }
}

async function pauseInstead(): Promise<number> {
  await delay(1_000);
  return 0;
}

function cpuTimes(system: System): CpuTimes | null {
  if (!canReadCpu()) return null;
  const { server, worker, temporal, postgres, provider } = system.pids();
  const of = (pid: number | undefined): number => (pid === undefined ? 0 : cpuOf(pid));
  return {
    server: of(server),
    worker: of(worker),
    temporal: of(temporal),
    postgres: postgres === undefined ? 0 : cpuOfFamily(postgres),
    provider: of(provider),
  };
}

function difference(after: CpuTimes, before: CpuTimes): CpuTimes {
  return {
    server: after.server - before.server,
    worker: after.worker - before.worker,
    temporal: after.temporal - before.temporal,
    postgres: after.postgres - before.postgres,
    provider: after.provider - before.provider,
  };
}
