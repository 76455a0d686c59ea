/**
 * Records what an operator decides about an intent (rule 10), in one transaction under its row lock: the
 * row of the chain and, where the decision takes effect, the evidence, the standing and the event that
 * follow from it (INV-7). What the rules refuse is recorded as well, without effect. A decision id
 * stands for one decision for ever: again, it gets the same answer; with another content it is a clash.
 *
 * Race: two operators decide at once, or one beside a late answer of the provider. Whoever gets the row
 * lock second is judged on the journal that the first one left.
 */
import { type DecisionKind, decisionRefusal } from '../domain/decision';
import { type Journal } from '../domain/journal';
import { asOperator } from './as-operator';
import { appendToChain } from './decision-chain';
import { DECISION_COLUMNS, type DecisionRow } from './decision-row';
import { type IntentRow } from './intent-row';
import { findLocked, type LockedIntent, situationOf } from './locked-intent';
import { type Pool, type Queryable, refusal } from './pool';
import { takeEffect } from './take-effect';

/** A decision as it was asked for; its form was checked. */
export interface NewDecision {
  readonly intentId: string;
  readonly decisionId: string;
  readonly decision: DecisionKind;
  readonly override: boolean;
  readonly evidence: string;
  readonly reason: string;
  readonly operator: string;
  /** Whether a token proved who it is. */
  readonly authenticated: boolean;
}

/**
 * - `recorded`: the row of the chain (`approved`: a proposal that took effect since), and the intent
 * - `clash`: the id stands for another decision; nothing was recorded
 * - `no_such_intent`
 */
export type Decided =
  | {
      readonly kind: 'recorded';
      readonly decision: DecisionRow;
      readonly approved: boolean;
      readonly intent: IntentRow;
    }
  | { readonly kind: 'clash' }
  | { readonly kind: 'no_such_intent' };

/** Records it, or finds it recorded. */
export async function recordDecision(pool: Pool, wanted: NewDecision): Promise<Decided> {
  try {
    return await record(pool, wanted);
  } catch (error) {
    // One id for two intents at the same moment: no row lock was common to them, the key decided.
    if (refusal(error)?.constraint === 'decisions_pkey') return { kind: 'clash' };
    throw error;
  }
}

function record(pool: Pool, wanted: NewDecision): Promise<Decided> {
  return asOperator(pool, async (tx) => {
    const locked = await findLocked(tx, wanted.intentId);
    if (locked === null) return { kind: 'no_such_intent' };
    const known = await findDecision(tx, wanted.decisionId);
    if (known !== null) return repeated(tx, { known, wanted, intent: locked.intent });
    const decision = await appendToChain(tx, {
      ...entryOf(wanted, locked),
      ...judge(wanted, locked),
    });
    if (decision.state !== 'effective') {
      return { kind: 'recorded', decision, approved: false, intent: locked.intent };
    }
    const intent = await takeEffect(tx, locked, { decision, decidedAt: locked.journal.readAt });
    return { kind: 'recorded', decision, approved: false, intent };
  });
}

/** A decision by its id; null where there is none. */
export async function findDecision(tx: Queryable, id: string): Promise<DecisionRow | null> {
  const { rows } = await tx.query<DecisionRow>({
    name: 'find-decision',
    text: `select ${DECISION_COLUMNS} from decisions where id = $1 and kind not in ('approve', 'close')`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Whether a proposal was approved and so took effect. */
export async function isApproved(tx: Queryable, { id }: DecisionRow): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'is-decision-approved',
    text: "select from decisions where approves = $1 and state = 'effective'",
    values: [id],
  });
  return rows.length > 0;
}

interface Repeat {
  readonly known: DecisionRow;
  readonly wanted: NewDecision;
  readonly intent: IntentRow;
}

async function repeated(tx: Queryable, { known, wanted, intent }: Repeat): Promise<Decided> {
  const isSame =
    known.intent === wanted.intentId &&
    known.kind === wanted.decision &&
    known.override === wanted.override &&
    known.evidence === wanted.evidence &&
    known.reason === wanted.reason &&
    known.operator === wanted.operator &&
    known.authenticated === wanted.authenticated;
  if (!isSame) return { kind: 'clash' };
  const approved = await isApproved(tx, known);
  return { kind: 'recorded', decision: known, approved, intent };
}

/** The highest attempt to apply: what a decision made now can have seen. */
export function attemptsSeen({ attempts }: Journal): number {
  return Math.max(0, ...attempts.filter((one) => one.effect === 'apply').map((one) => one.number));
}

function entryOf(wanted: NewDecision, { intent, journal }: LockedIntent) {
  return {
    id: wanted.decisionId,
    intent: intent.id,
    kind: wanted.decision,
    approves: null,
    override: wanted.override,
    operator: wanted.operator,
    authenticated: wanted.authenticated,
    evidence: wanted.evidence,
    reason: wanted.reason,
    attempts: attemptsSeen(journal),
    decidedAt: new Date(journal.readAt),
    closes: null,
  };
}

type Judgement = Pick<DecisionRow, 'state' | 'refusalCode' | 'refusalDetail'>;

const UNPROVEN_OVERRIDE =
  'An override takes two authenticated operators: propose it through the API or the command line.';

function judge(wanted: NewDecision, { intent, journal }: LockedIntent): Judgement {
  const refused = decisionRefusal(wanted, situationOf(intent, journal));
  if (refused !== null) {
    return { state: 'refused', refusalCode: refused.code, refusalDetail: refused.detail };
  }
  if (wanted.override && !wanted.authenticated) {
    return {
      state: 'refused',
      refusalCode: 'decision-not-legal',
      refusalDetail: UNPROVEN_OVERRIDE,
    };
  }
  const state = needsApproval(wanted, intent) ? 'proposed' : 'effective';
  return { state, refusalCode: null, refusalDetail: null };
}

/** Above the operation's threshold, and against a silent look-up, one person is not enough. */
function needsApproval({ override }: NewDecision, { amount, policy }: IntentRow): boolean {
  const threshold = policy.approvalThreshold ?? null;
  return override || (threshold !== null && amount !== null && amount > threshold);
}
