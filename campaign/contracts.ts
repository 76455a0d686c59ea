/**
 * The contracts of a campaign. Short, so that proofs come within seconds; the horizon is long, so that a
 * provider which is killed and comes back a few seconds later with what it had begun still keeps its
 * contract: a doubled effect is then ours.
 */
const send = { budget_ms: 1_000, horizon_ms: 6_000 };
const look_up = { lag_ms: 200, schedule_ms: [100, 200, 400, 800, 1_600, 3_000, 5_000] };
const patience_ms = 60_000;

/** For RESOLUTE_SIMULATOR_CONTRACT. */
export const CAMPAIGN_CONTRACTS = {
  'sim-full': { send, look_up, patience_ms },
  'sim-lookup': { send, look_up, patience_ms },
  'sim-key': { send, patience_ms },
  'sim-blind': { send, patience_ms },
};

/** The providers that take part. */
export const PROVIDERS = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Those of messages; they keep the contracts of sim-key and sim-blind. */
export const MESSAGE_PROVIDERS = ['sim-mail', 'sim-fax'] as const;
export type MessageProvider = (typeof MESSAGE_PROVIDERS)[number];
