/**
 * The journal of an intent: what was permitted and what was learned, in the compact form that
 * travels between PostgreSQL, the activities and the workflow. It holds no parameters and nothing
 * personal. All times are milliseconds since the epoch on the database's clock.
 */
import { type Status } from './status';

/** What is done to the world: the effect asked for, or its undoing. Each has its own attempts. */
export type Effect = 'apply' | 'revert';

/** Why an attempt is closed. `superseded` proves nothing: a repeat under the same key took over. */
export type AttemptVerdict = 'applied' | 'rejected' | 'not_sent' | 'absent' | 'superseded';

/** One recorded permission to send (INV-2). */
export interface Attempt {
  readonly effect: Effect;
  /** From 1, per effect. */
  readonly number: number;
  /** Part of the provider key; grows only where the old key is frozen (INV-4). */
  readonly generation: number;
  readonly openedAt: number;
  /** After it the send is over, whatever it did. */
  readonly sendDeadline: number;
  readonly verdict: AttemptVerdict | null;
}

/**
 * What one answer says. `unknown` is the value of every answer that nobody foresaw (INV-5).
 * - `applied`, `rejected`, `pending`, `reverted`: the provider shows the effect in that state
 * - `not_sent`: proof that nothing was executed: no byte left, or (`answered`) the provider documents
 *   that it refused this copy before executing (429); `retryAfterMs` if it said when to come back
 * - `absent`: the provider was asked and shows nothing under our reference
 * - `conflict`: what it shows is not what we asked for, or (`several`) there is more than one
 * - `unknown`: anything else; `frozen` if the provider may have saved this error under the key
 * - `decided`: an operator's effective decision about the effect asked for (rule 10); see {@link Decided}
 */
export type Finding =
  | { readonly kind: 'applied'; readonly providerId: string }
  | { readonly kind: 'rejected'; readonly code: string; readonly declined: boolean }
  | { readonly kind: 'pending'; readonly providerId: string }
  | { readonly kind: 'reverted'; readonly providerId: string }
  | {
      readonly kind: 'not_sent';
      readonly why: string;
      readonly retryAfterMs: number | null;
      readonly answered?: true;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'conflict'; readonly what: string; readonly several?: true }
  | { readonly kind: 'unknown'; readonly why: string; readonly frozen: boolean }
  | Decided;

/** What an operator may say of the effect asked for. */
export type DecisionKind = 'applied' | 'not_applied' | 'retry';

/**
 * An operator's decision, as evidence: source `operator`, effect `apply`, no attempt. It was decided at
 * `askedAt` and became effective, approval included, at `observedAt`; a proposal is not in the journal.
 * The operator's words (evidence, reason) stay with the decision and never travel with the journal.
 */
export interface Decided {
  readonly kind: 'decided';
  readonly decision: DecisionKind;
  /** Two persons stand for it: it may end an intent against a look-up that stays silent. */
  readonly override: boolean;
  /** The highest attempt to apply that it saw: of later ones it says nothing. */
  readonly attempts: number;
  readonly decisionId: string;
}

/** Who says so. */
export type Source = 'response' | 'look_up' | 'notification' | 'operator';

/** One piece of evidence; append-only. */
export interface Observation {
  readonly effect: Effect;
  /** The attempt that the answer belongs to; null where it is about the effect as a whole. */
  readonly attempt: number | null;
  readonly source: Source;
  readonly finding: Finding;
  /** The database's clock before the question left: a finding is no younger (rule 3). */
  readonly askedAt: number;
  /**
   * The database's clock when it was recorded: for schedules and display. Of proof it says only that
   * the provider answered no later (how far back a look-up sees).
   */
  readonly observedAt: number;
}

/** The provider's circuit is open: nothing new is sent to it for now. */
export interface Hold {
  /** When it opened. */
  readonly since: number;
  /** When the provider is tried again, by one attempt. */
  readonly until: number;
  /** Over how long after that the intents that were held follow, in milliseconds. */
  readonly spreadMs: number;
}

/** Everything that decisions are made from. */
export interface Journal {
  readonly status: Status;
  readonly createdAt: number;
  /** When a cancel was accepted; from then on no attempt to apply is opened (rule 8). */
  readonly cancelRequestedAt: number | null;
  /** The database's clock when this was read; lets a workflow tell the database's present time. */
  readonly readAt: number;
  /** Absent where the provider's circuit is closed. */
  readonly hold?: Hold;
  /**
   * Later intents of ours (refunds) that were sent and did not fail take back all of it: a reversal that
   * the provider shows is then theirs. Absent where they do not.
   */
  readonly isGivenBack?: true;
  readonly attempts: readonly Attempt[];
  readonly observations: readonly Observation[];
  /** Shown to operators, decides nothing; only where `record` read them and there are any. */
  readonly proposals?: readonly Proposal[];
}

/** A decision that waits for a second person. */
export interface Proposal {
  readonly decisionId: string;
  readonly decision: DecisionKind;
  readonly override: boolean;
  readonly proposedAt: number;
}

/** The journal of an intent of which nothing was read yet; `send` re-reads under the lock anyway. */
export function emptyJournal(now: number): Journal {
  return {
    status: 'accepted',
    createdAt: now,
    cancelRequestedAt: null,
    readAt: now,
    attempts: [],
    observations: [],
  };
}
