/** The worker's metrics. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Finding } from '../domain/journal';
import { WORKER_METRICS } from './catalog';
import { createCommitMetrics } from './commit-metrics';
import { counter, histogram } from './metric';
import { type ProviderCall, traceProvider } from './trace-provider';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Makes them, in a registry of their own; what alarms at once begins at 0 for each provider. */
export function createWorkerMetrics(providers: readonly string[]) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const all = WORKER_METRICS;
  const redundantEffectsPrevented = counter(registry, all.redundantEffectsPrevented);
  const providerCallSeconds = histogram(registry, all.providerCallSeconds);
  for (const provider of providers) redundantEffectsPrevented.inc({ provider }, 0);

  return {
    registry,
    attemptsOpened: counter(registry, all.attemptsOpened),
    unattendedTaken: counter(registry, all.unattendedTaken),
    runsWithoutIntent: counter(registry, all.runsWithoutIntent),
    notificationsUnmatched: counter(registry, all.notificationsUnmatched),
    redundantEffectsPrevented,
    /** Counts what a transaction changed. */
    committed: createCommitMetrics(registry, providers),
    /** Calls a provider, in a span, and keeps how long it took; one that throws is not counted. */
    async timed(about: ProviderCall, ask: () => Promise<Finding>): Promise<Finding> {
      const { provider, call } = about;
      const begin = performance.now();
      const finding = await traceProvider(about, ask);
      const seconds = (performance.now() - begin) / 1_000;
      providerCallSeconds.observe({ provider, call, finding: finding.kind }, seconds);
      return finding;
    },
  };
}
