/**
 * What a provider promises about one operation, as data. Policy is derived from it, never coded in
 * an adapter: `assess` and `nextStep` read these numbers and nothing else of the provider.
 * All durations are milliseconds.
 */

/** Which names a provider takes, as a key or as a reference; ours are ASCII. */
export interface NameContract {
  /** Longest name, in bytes. */
  readonly maxBytes: number;
  /** The characters, as the inside of a class of a regular expression: `A-Za-z0-9-`. */
  readonly alphabet: string;
}

/** How the provider treats the key that we send with every request. */
export interface KeyContract extends NameContract {
  /** Within what a key is one key: a repeat must stay inside it. */
  readonly scope: 'account' | 'region' | 'credential';
  /** What the provider does with a known key and another body; we never send one. */
  readonly onMismatch: 'refuses' | 'gives the first answer' | 'acts again';
  /** How long a repeat under the key is the same request to the provider, from the first send. */
  readonly windowMs: number | 'forever' | 'unpublished';
  /**
   * A decline is saved under the key, so that a repeat gets the same one. Other refusals never count as
   * saved: they come before the execution, and the reason may pass.
   */
  readonly savesRejections: boolean;
}

/** How the provider can be asked what became of a request. */
export interface LookUpContract {
  readonly by: 'reference' | 'key';
  /** Settle lag: how long after an effect the look-up may still miss it. */
  readonly lagMs: number;
  /** False where, for example, pending effects are not shown. */
  readonly absenceIsProof: boolean;
  /** How long after a send the look-up still sees it. */
  readonly seesBackMs: number | 'forever';
  /** Pauses before the first look-up, the second, …; the last one repeats. */
  readonly scheduleMs: readonly number[];
  /**
   * Where a question is cheap: whoever reads an intent in doubt has the provider asked out of turn, at
   * most once in this time. Absent: the schedule alone decides.
   */
  readonly onReadMs?: number;
  /** Effects can also be listed by the time of their creation; missing in old snapshots: no. */
  readonly lists?: boolean;
}

/** What is known of a request under way. */
export interface SendContract {
  /** Hard deadline of the whole HTTP call. */
  readonly budgetMs: number;
  /** In-flight horizon: how long after the deadline a request may still land. */
  readonly horizonMs: number;
  /** Something on the way may deliver one request twice. */
  readonly mayRepeat: boolean;
}

/** A provider's contract for one operation; changing it means a new `version`. */
export interface ProviderContract {
  readonly version: number;
  readonly key: KeyContract | null;
  /** Room for our own name of the effect in the request; null where none can be given. */
  readonly reference: NameContract | null;
  readonly lookUp: LookUpContract | null;
  readonly send: SendContract;
  /** Whether signed notifications come, and may be evidence. */
  readonly notifications: boolean;
  /** Whether an applied effect can be undone by a command of its own (rule 8). */
  readonly revert: boolean;
  /** How long one attempt may stay unresolved before a person is asked. */
  readonly patienceMs: number;
  /**
   * Most by which a pause is lengthened, in whole percent of it, so that many intents do not act at one
   * moment. Absent in contracts that were recorded before it: their pauses are as they were.
   */
  readonly jitterPercent?: number;
}

/**
 * Longest budget of a send. A worker that is told to stop waits a second longer than this, and the
 * whole stack is down within 15 s: so no stop ever cuts a send off.
 */
export const LONGEST_BUDGET_MS = 9_000;

/**
 * What the operation decides for itself, whatever the provider. Snapshots that were stored before a
 * member existed lack it: missing means null.
 */
export interface Policy {
  /** Most attempts that may have left the process, before absence means giving up. */
  readonly attemptCap: number;
  /** How long after it was recorded an intent may still be sent, in milliseconds; null: for ever. */
  readonly deadlineMs?: number | null;
  /**
   * Decisions about more than this, in minor units of the intent's currency, need a second person; null:
   * none does. The decision rules do not read it.
   */
  readonly approvalThreshold?: number | null;
}

/** Pauses where the contract has no look-up schedule: between repeats under one key (rule 4). */
export const DEFAULT_SCHEDULE_MS: readonly number[] = [
  200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000,
];

/**
 * How late, after its last look at the clock, our own process may let bytes out. A constant of this
 * process, not of a provider: the time between the check in `providers/fence.ts` and the write.
 */
export const FENCE_GUARD_MS = 500;
