/**
 * The gateway's metrics. Counters tell of this process since its start; gauges of the database say the
 * same in every gateway, so that a sum over gateways means nothing and a maximum does.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Status } from '../domain/status';
import { GATEWAY_METRICS } from './catalog';
import { createCommitMetrics } from './commit-metrics';
import { counter, gauge, histogram } from './metric';

/** What PostgreSQL says of the intents that are not final. */
export interface Figures {
  readonly groups: readonly StatusFigures[];
  readonly discrepancies: number;
  /** Effects without an intent that nobody has closed. */
  readonly orphans: number;
}

/** The intents of one status, operation and provider. */
export interface StatusFigures {
  readonly status: Status;
  readonly operation: string;
  readonly provider: string;
  readonly intents: number;
  /** Seconds that the oldest has been in this status; for accepted, executing, pending since recorded. */
  readonly oldestSeconds: number;
  /** Those whose next step is more than a minute late. */
  readonly overdue: number;
  /** Those that Temporal does not start, since a run of that id has completed. */
  readonly heldBack: number;
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

const OPEN_STATUSES = ['accepted', 'executing', 'pending', 'unknown', 'in_review'] as const;

/** Makes them, in a registry of their own; what alarms at once begins at 0 for each provider. */
export function createGatewayMetrics(providers: readonly string[]) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const all = GATEWAY_METRICS;
  const intents = gauge(registry, all.intents);
  const oldest = gauge(registry, all.oldestIntentSeconds);
  const overdue = gauge(registry, all.overdueIntents);
  const heldBack = gauge(registry, all.heldBackIntents);
  const discrepancies = gauge(registry, all.discrepanciesOpen);
  const orphans = gauge(registry, all.orphanEffectsOpen);
  const storeReachable = gauge(registry, all.storeReachable);

  return {
    registry,
    /** Counts what a transaction changed. */
    committed: createCommitMetrics(registry, providers),
    intentsRecorded: counter(registry, all.intentsRecorded),
    repeatsServed: counter(registry, all.repeatsServed),
    fingerprintConflicts: counter(registry, all.fingerprintConflicts),
    businessKeyConflicts: counter(registry, all.businessKeyConflicts),
    problems: counter(registry, all.problems),
    httpRequestSeconds: histogram(registry, all.httpRequestSeconds),
    waitSeconds: histogram(registry, all.waitSeconds),
    waiters: gauge(registry, all.waiters),
    temporalReachable: gauge(registry, all.temporalReachable),
    /** Shows what the store says; null where it did not answer: old figures are no figures. */
    showFigures(figures: Figures | null): void {
      storeReachable.set(figures === null ? 0 : 1);
      for (const labelled of [intents, oldest]) labelled.reset();
      // A reset would leave a 0 of those without labels.
      for (const plain of [overdue, heldBack, discrepancies, orphans]) plain.remove();
      if (figures === null) return;
      const { groups } = figures;
      for (const { intents: value, status, operation, provider } of groups) {
        intents.set({ status, operation, provider }, value);
      }
      for (const status of OPEN_STATUSES) {
        const ages = groups.filter((one) => one.status === status).map((one) => one.oldestSeconds);
        oldest.set({ status }, Math.max(0, ...ages));
      }
      overdue.set(groups.reduce((sum, one) => sum + one.overdue, 0));
      heldBack.set(groups.reduce((sum, one) => sum + one.heldBack, 0));
      discrepancies.set(figures.discrepancies);
      orphans.set(figures.orphans);
    },
  };
}
