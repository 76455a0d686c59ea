/**
 * The one table of our metrics. Each process makes its own from it; `docs/telemetry.md` shows the same
 * table, and tests compare that, the alerts and the dashboard with it. Labels have few values: nothing
 * of a tenant, of an intent or of a caller's (INV-12).
 */

/** One documented metric. */
export interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly servedBy: 'api' | 'worker' | 'api, worker';
  readonly meaning: string;
  /** Upper bounds; histograms only. */
  readonly buckets?: readonly number[];
}

/** From a round trip on the same machine to a minute's wait. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
/** Proofs take milliseconds, look-ups minutes, persons hours. */
const SECONDS_TO_PROOF = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600, 3_600, 86_400,
] as const;

/** What the gateway serves. */
export const GATEWAY_METRICS = {
  intentsRecorded: {
    name: 'resolute_intents_recorded_total',
    kind: 'counter',
    labels: ['operation', 'provider'],
    servedBy: 'api',
    meaning: 'Identities claimed: new intents',
  },
  repeatsServed: {
    name: 'resolute_repeats_served_total',
    kind: 'counter',
    labels: ['operation'],
    servedBy: 'api',
    meaning: 'Requests recognised as repeats and answered from the intent',
  },
  fingerprintConflicts: {
    name: 'resolute_fingerprint_conflicts_total',
    kind: 'counter',
    labels: ['operation'],
    servedBy: 'api',
    meaning: 'Requests refused because their key was used before with other parameters',
  },
  businessKeyConflicts: {
    name: 'resolute_business_key_conflicts_total',
    kind: 'counter',
    labels: ['operation'],
    servedBy: 'api',
    meaning: 'Requests refused because another live intent holds the business key',
  },
  problems: {
    name: 'resolute_problems_total',
    kind: 'counter',
    labels: ['route', 'problem'],
    servedBy: 'api',
    meaning: 'Requests answered with a problem, by its name in docs/api.md',
  },
  httpRequestSeconds: {
    name: 'resolute_http_request_seconds',
    kind: 'histogram',
    labels: ['method', 'route', 'status'],
    servedBy: 'api',
    meaning: "Time from a request to its answer, the caller's wait included",
    buckets: SECONDS,
  },
  waitSeconds: {
    name: 'resolute_wait_seconds',
    kind: 'histogram',
    labels: [],
    servedBy: 'api',
    meaning: 'How long callers waited for an intent to end its wait',
    buckets: SECONDS,
  },
  waiters: {
    name: 'resolute_waiters',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: 'Callers waiting now',
  },
  intents: {
    name: 'resolute_intents',
    kind: 'gauge',
    labels: ['status', 'operation', 'provider'],
    servedBy: 'api',
    meaning: 'Intents that are not final, by present status; read from PostgreSQL',
  },
  oldestIntentSeconds: {
    name: 'resolute_oldest_intent_seconds',
    kind: 'gauge',
    labels: ['status'],
    servedBy: 'api',
    meaning:
      'Age of the oldest one: unknown since it became so, in review since then, else since recorded; 0 without any',
  },
  overdueIntents: {
    name: 'resolute_overdue_intents',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: 'Intents whose next step is more than a minute late: nobody moves them',
  },
  discrepanciesOpen: {
    name: 'resolute_discrepancies_open',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: 'Final intents that later evidence contradicts, and that nobody has closed',
  },
  orphanEffectsOpen: {
    name: 'resolute_orphan_effects_open',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: 'Effects under a reference of ours without an intent, that nobody has closed',
  },
  heldBackIntents: {
    name: 'resolute_held_back_intents',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: 'Intents that Temporal does not start, since a run of their id has completed',
  },
  storeReachable: {
    name: 'resolute_store_reachable',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: '1 if PostgreSQL answered this scrape; with 0 what is read from it is left out',
  },
  temporalReachable: {
    name: 'resolute_temporal_reachable',
    kind: 'gauge',
    labels: [],
    servedBy: 'api',
    meaning: '1 if Temporal answered this scrape',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** What the worker serves. */
export const WORKER_METRICS = {
  attemptsOpened: {
    name: 'resolute_attempts_opened_total',
    kind: 'counter',
    labels: ['operation', 'provider', 'effect'],
    servedBy: 'worker',
    meaning: 'Permissions to send, each followed by one send',
  },
  redundantEffectsPrevented: {
    name: 'resolute_redundant_effects_prevented_total',
    kind: 'counter',
    labels: ['provider'],
    servedBy: 'worker',
    meaning:
      'Sends of a second, stale or repeated run that got no permit: it had been given before',
  },
  unattendedTaken: {
    name: 'resolute_unattended_taken_total',
    kind: 'counter',
    labels: ['operation'],
    servedBy: 'worker',
    meaning:
      'Intents that the auditor looked after, once a pass: late, without a next moment, or ended without their run',
  },
  runsWithoutIntent: {
    name: 'resolute_runs_without_intent_total',
    kind: 'counter',
    labels: [],
    servedBy: 'worker',
    meaning: 'Times that a run asked for an intent that is not in the database; it asks on',
  },
  notificationsUnmatched: {
    name: 'resolute_notifications_unmatched_total',
    kind: 'counter',
    labels: [],
    servedBy: 'worker',
    meaning:
      'Notifications that named no effect of ours a minute after they came; each counts once',
  },
  providerCallSeconds: {
    name: 'resolute_provider_call_seconds',
    kind: 'histogram',
    labels: ['provider', 'call', 'finding'],
    servedBy: 'worker',
    meaning: 'Calls of a provider by what their answer said; call is apply, revert or look_up',
    buckets: SECONDS,
  },
} as const satisfies Readonly<Record<string, Metric>>;

/**
 * What is counted of commits, by the process that made them: the worker's by the workflow's steps, the
 * gateway's by operators' decisions. A sum over both is the whole.
 */
export const COMMIT_METRICS = {
  redundantEffectsSeen: {
    name: 'resolute_redundant_effects_seen_total',
    kind: 'counter',
    labels: ['provider'],
    servedBy: 'api, worker',
    meaning: 'Intents for which the provider showed two effects',
  },
  findings: {
    name: 'resolute_findings_total',
    kind: 'counter',
    labels: ['provider', 'source', 'finding'],
    servedBy: 'api, worker',
    meaning: 'Pieces of evidence recorded; those with source look_up are the look-ups made',
  },
  outcomes: {
    name: 'resolute_outcomes_total',
    kind: 'counter',
    labels: ['operation', 'provider', 'status'],
    servedBy: 'api, worker',
    meaning: 'Intents that ended, by outcome',
  },
  reviews: {
    name: 'resolute_reviews_total',
    kind: 'counter',
    labels: ['operation', 'provider'],
    servedBy: 'api, worker',
    meaning: 'Times that an intent came in front of a person',
  },
  timeToProofSeconds: {
    name: 'resolute_time_to_proof_seconds',
    kind: 'histogram',
    labels: ['operation', 'provider', 'path'],
    servedBy: 'api, worker',
    meaning:
      'From recorded to final; path is direct where the one send proved it, else after_doubt',
    buckets: SECONDS_TO_PROOF,
  },
  lookUpsPerOutcome: {
    name: 'resolute_look_ups_per_outcome',
    kind: 'histogram',
    labels: ['provider'],
    servedBy: 'api, worker',
    meaning: 'Look-ups that an intent needed to end',
    buckets: [0, 1, 2, 3, 5, 8, 13, 21],
  },
  attemptsPerOutcome: {
    name: 'resolute_attempts_per_outcome',
    kind: 'histogram',
    labels: ['provider'],
    servedBy: 'api, worker',
    meaning: 'Attempts to apply that an intent needed to end: the used part of its retry budget',
    buckets: [0, 1, 2, 3, 5, 8],
  },
  attemptsUsedUp: {
    name: 'resolute_attempts_used_up_total',
    kind: 'counter',
    labels: ['operation', 'provider'],
    servedBy: 'api, worker',
    meaning: 'Intents given up because every attempt that the cap allows was proven absent',
  },
  discrepanciesOpened: {
    name: 'resolute_discrepancies_opened_total',
    kind: 'counter',
    labels: ['operation', 'provider'],
    servedBy: 'api, worker',
    meaning: 'Final intents that evidence came to contradict',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** All of them. */
export const METRICS: readonly Metric[] = [
  ...Object.values(GATEWAY_METRICS),
  ...Object.values(WORKER_METRICS),
  ...Object.values(COMMIT_METRICS),
];
