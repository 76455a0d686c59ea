/** Short times, so that proofs and reviews come within seconds. For RESOLUTE_SIMULATOR_CONTRACT. */
const send = { budget_ms: 1_000, horizon_ms: 300 };
const look_up = { lag_ms: 200, schedule_ms: [100, 200, 400, 800, 1_500] };
const patience_ms = 30_000;

/** Proof time of the first two: 1 s budget + 0.5 s guard + 0.3 s horizon + 0.2 s lag = 2 s after opening. */
export const REHEARSAL_CONTRACTS = {
  'sim-full': { send, look_up, patience_ms },
  'sim-lookup': { send, look_up, patience_ms },
  'sim-key': { send, patience_ms },
  // Longer, since what it answers late goes to a person: a busy machine must not look like a fault.
  'sim-blind': { send: { ...send, budget_ms: 3_000 }, patience_ms },
};
