/** A row of the decisions' chain: a decision, an approval of one, or what was refused. */
import { type DecisionKind } from '../domain/decision';

/**
 * - `proposed`: recorded, without effect until another, authenticated operator approves it
 * - `effective`: evidence of the journal since then
 * - `refused`: kept for the record, without effect for ever
 */
export type DecisionState = 'proposed' | 'effective' | 'refused';

/** The facts that a row's hash covers; never changed. */
export interface DecisionFacts {
  /** From 1, without gaps, over the whole table. */
  readonly position: number;
  /** Of a decision: the id that its maker gave it. */
  readonly id: string;
  readonly intent: string;
  readonly kind: DecisionKind | 'approve';
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
  previous_hash as "previousHash", hash`;
