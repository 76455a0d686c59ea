/**
 * A second person's approval of a proposed decision, in one transaction under the intent's row lock.
 * Whether the decision is legal is asked anew: between proposal and approval the provider may have
 * answered. An approval that comes too late, or from the proposer, is recorded without effect. Again,
 * an approval that took effect gets the same answer.
 */
import { randomUUID } from 'node:crypto';
import { type DecisionRefusal, decisionRefusal } from '../domain/decision';
import { asOperator } from './as-operator';
import { appendToChain, type NewEntry } from './decision-chain';
import { type DecisionRow } from './decision-row';
import { type IntentRow } from './intent-row';
import { findLocked, type LockedIntent, situationOf } from './locked-intent';
import { type Pool, type Queryable } from './pool';
import { attemptsSeen, findDecision, isApproved } from './record-decision';
import { takeEffect } from './take-effect';

/** Who approves what. The operator is the holder of a token, never a claim. */
export interface NewApproval {
  readonly intentId: string;
  readonly decisionId: string;
  readonly operator: string;
}

/**
 * - `approved`: the decision is in effect, now or since an earlier approval
 * - `refused`: recorded, without effect
 * - `no_such_decision`: of this intent, or no such intent
 */
export type Approved =
  | { readonly kind: 'approved'; readonly decision: DecisionRow; readonly intent: IntentRow }
  | {
      readonly kind: 'refused';
      readonly decision: DecisionRow;
      readonly refusal: DecisionRefusal;
      readonly intent: IntentRow;
    }
  | { readonly kind: 'no_such_decision' };

/** Approves it, or finds it approved. */
export function approveDecision(pool: Pool, approval: NewApproval): Promise<Approved> {
  return asOperator(pool, async (tx) => {
    const locked = await findLocked(tx, approval.intentId);
    const decision = await findDecision(tx, approval.decisionId);
    if (locked === null || decision?.intent !== approval.intentId) {
      return { kind: 'no_such_decision' };
    }
    const { intent } = locked;
    if (decision.state === 'effective' || (await isApproved(tx, decision))) {
      return { kind: 'approved', decision, intent };
    }
    const refusal = refusalOf(approval, decision, locked);
    await append(tx, { approval, decision, locked, refusal });
    if (refusal !== null) return { kind: 'refused', decision, refusal, intent };
    const effective = { decision, decidedAt: decision.decidedAt.getTime() };
    return { kind: 'approved', decision, intent: await takeEffect(tx, locked, effective) };
  });
}

function refusalOf(
  { operator }: NewApproval,
  decision: DecisionRow,
  { intent, journal }: LockedIntent,
): DecisionRefusal | null {
  if (decision.kind === 'approve' || decision.kind === 'close') {
    throw new Error('only a decision can be approved');
  }
  if (decision.state === 'refused') {
    return notLegal('The decision was refused when it was made; make a new one.');
  }
  if (isSamePerson(operator, decision.operator)) {
    return notLegal('You proposed it yourself: another operator must approve it.');
  }
  const request = { decision: decision.kind, override: decision.override };
  const refusal = decisionRefusal(request, situationOf(intent, journal));
  if (refusal !== null) return refusal;
  if (attemptsSeen(journal) !== decision.attempts) {
    return notLegal('It was sent again since it was proposed: look at it anew and decide again.');
  }
  return null;
}

/** A claimed name is whatever somebody typed: `Olive` may well be olive. */
function isSamePerson(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function notLegal(detail: string): DecisionRefusal {
  return { code: 'decision-not-legal', detail };
}

interface Entry {
  readonly approval: NewApproval;
  readonly decision: DecisionRow;
  readonly locked: LockedIntent;
  readonly refusal: DecisionRefusal | null;
}

async function append(tx: Queryable, { approval, decision, locked, refusal }: Entry) {
  const entry: NewEntry = {
    id: randomUUID(),
    intent: decision.intent,
    kind: 'approve',
    approves: decision.id,
    override: decision.override,
    operator: approval.operator,
    authenticated: true,
    evidence: '',
    reason: '',
    attempts: attemptsSeen(locked.journal),
    state: refusal === null ? 'effective' : 'refused',
    refusalCode: refusal?.code ?? null,
    refusalDetail: refusal?.detail ?? null,
    decidedAt: new Date(locked.journal.readAt),
    closes: null,
  };
  await appendToChain(tx, entry);
}
