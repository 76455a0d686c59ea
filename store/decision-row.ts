/** A row of the decisions' chain: a decision, an approval of one, what was refused, or a closing. */
import { type DecisionKind } from '../domain/decision';
import { type Closing } from '../domain/later-contradiction';

/**
 * - `proposed`: recorded, without effect until another, authenticated operator approves it
 * - `effective`: evidence of the journal since then
 * - `refused`: kept for the record, without effect for ever
 */
export type DecisionState = 'proposed' | 'effective' | 'refused';

/** The discrepancy of an intent, as it was closed. */
export interface ClosedDiscrepancy {
  /** When it was opened: which of an intent's discrepancies; RFC 3339, milliseconds. */
  readonly since: string;
  readonly reason: string;
  readonly closing: Closing;
  /** The intent's last observation at that moment; later ones may open another discrepancy. */
  readonly seen: number;
}

/** An effect without an intent, as it was closed. */
export interface ClosedOrphan {
  readonly provider: string;
  readonly provider_id: string;
}

/** The facts that a row's hash covers; never changed. */
export interface DecisionFacts {
  /** From 1, without gaps, over the whole table. */
  readonly position: number;
  /** Of a decision: the id that its maker gave it. */
  readonly id: string;
  /** Null for the closing of an effect that has none. */
  readonly intent: string | null;
  readonly kind: DecisionKind | 'approve' | 'close';
  /** The decision that this row approves, or tried to; null for decisions. */
  readonly approves: string | null;
  readonly override: boolean;
  readonly operator: string;
  /** False where the name is only claimed (the Web UI proves none). */
  readonly authenticated: boolean;
  /** What the provider or its statement says, in the operator's words; empty for approvals. */
  readonly evidence: string;
  readonly reason: string;
  /** The highest attempt to apply that had been opened. */
  readonly attempts: number;
  readonly state: DecisionState;
  readonly refusalCode: string | null;
  readonly refusalDetail: string | null;
  readonly decidedAt: Date;
  /** What a closing closes; null for all others, and then no part of the hash. */
  readonly closes: ClosedDiscrepancy | ClosedOrphan | null;
}

/** A row as it is stored. */
export interface DecisionRow extends DecisionFacts {
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The select list that makes a {@link DecisionRow}. */
export const DECISION_COLUMNS = `
  position, id, intent, kind, approves, override, operator, authenticated, evidence, reason, attempts,
  state, refusal_code as "refusalCode", refusal_detail as "refusalDetail", decided_at as "decidedAt",
  closes, previous_hash as "previousHash", hash`;
