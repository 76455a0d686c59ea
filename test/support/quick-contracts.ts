/** The simulator's contracts with short times, so that proofs and reviews come within seconds. */
/** Twice what the slowest answer in a test takes that is to be in time: the machine may be busy. */
const send = { budget_ms: 1_500, horizon_ms: 300 };
const look_up = { lag_ms: 200, schedule_ms: [100, 200, 400, 800, 1_500] };

/** Proof time: 1.5 s budget + 0.5 s guard + 0.3 s horizon + 0.2 s lag = 2.5 s after opening. */
export const QUICK_CONTRACTS = {
  'sim-full': { send, look_up, patience_ms: 30_000 },
  'sim-lookup': { send, look_up, patience_ms: 30_000 },
  'sim-key': { send, patience_ms: 30_000 },
  'sim-blind': { send, patience_ms: 30_000 },
};
