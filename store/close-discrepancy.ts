/**
 * A person closes the discrepancy of an ended intent, in one transaction under the intent's row lock. The
 * outcome stays (INV-6); what was found out is a row of the decisions' chain. The trigger
 * `guard_discrepancy` refuses the mark's change without that row.
 *
 * Race: two operators close at once, or one closes while new evidence opens another discrepancy. Whoever
 * gets the lock second finds it closed, or another one than was seen, and changes nothing.
 */
import { type Closing } from '../domain/later-contradiction';
import { isFinal } from '../domain/status';
import { asOperator } from './as-operator';
import { findClosing, lastClosing } from './closings';
import { appendToChain } from './decision-chain';
import { type DecisionRow } from './decision-row';
import { type IntentRow } from './intent-row';
import { findLocked, type LockedIntent, readRow } from './locked-intent';
import { type Pool, type Queryable, refusal } from './pool';
import { attemptsSeen } from './record-decision';
import { type Transaction } from './transaction';

/** A closing as it was asked for; its form was checked. */
export interface NewClosing {
  readonly intentId: string;
  readonly decisionId: string;
  /** Which discrepancy was seen: when it was opened. */
  readonly since: Date;
  readonly closing: Closing;
  readonly evidence: string;
  readonly reason: string;
  /** The holder of a token, never a claim. */
  readonly operator: string;
}

/**
 * - `closed`: now, or by the same request before
 * - `not_open`: this discrepancy is none, was closed, or another one is open; nothing was recorded
 * - `clash`: the id stands for another decision; nothing was recorded
 */
export type Closed =
  | { readonly kind: 'closed'; readonly decision: DecisionRow; readonly intent: IntentRow }
  | { readonly kind: 'not_open'; readonly why: string; readonly intent: IntentRow }
  | { readonly kind: 'clash' }
  | { readonly kind: 'no_such_intent' };

/**
 * A refuted mark goes; one that is right stays, and draws go on reckoning with it. Whoever was told of it
 * by the feed is told of its end.
 */
const CLOSE = `
  with closed as (
    update intents set version = version + 1, updated_at = clock_timestamp(),
      discrepancy_since = case when $2 then discrepancy_since end,
      discrepancy_reason = case when $2 then discrepancy_reason end,
      discrepancy_closed_at = case when $2 then clock_timestamp() end
    where id = $1
    returning *
  )
  insert into intent_events (intent, tenant, sequence, type, data)
  select id, tenant, version, 'resolute.intent.discrepancy_closed',
    jsonb_build_object('id', id, 'operation', operation, 'status', status,
      'reference', business_key, 'amount', amount, 'currency', currency,
      'provider', provider, 'provider_id', provider_id, 'reason', $3::text)
  from closed`;

/** Closes it, or finds it closed by this very request. */
export async function closeDiscrepancy(pool: Pool, wanted: NewClosing): Promise<Closed> {
  try {
    return await asOperator(pool, (tx) => close(tx, wanted));
  } catch (error) {
    if (refusal(error)?.constraint === 'decisions_pkey') return { kind: 'clash' };
    throw error;
  }
}

async function close(tx: Transaction, wanted: NewClosing): Promise<Closed> {
  const locked = await findLocked(tx, wanted.intentId);
  if (locked === null) return { kind: 'no_such_intent' };
  const { intent } = locked;
  const known = await findClosing(tx, wanted.decisionId);
  if (known !== null) {
    return isSame(known, wanted) ? { kind: 'closed', decision: known, intent } : { kind: 'clash' };
  }
  const why = await whyNotOpen(tx, intent, wanted.since);
  if (why !== null) return { kind: 'not_open', why, intent };
  const decision = await appendToChain(tx, await entryOf(tx, wanted, locked));
  await tx.query({
    name: 'close-discrepancy',
    text: CLOSE,
    values: [intent.id, wanted.closing === 'evidence_stands', wanted.closing],
  });
  return { kind: 'closed', decision, intent: await readRow(tx, intent.id) };
}

/** One sentence; null where the discrepancy that was seen is open. */
async function whyNotOpen(tx: Queryable, intent: IntentRow, seen: Date): Promise<string | null> {
  const { discrepancySince: since, discrepancyClosedAt, status } = intent;
  if (!isFinal(status)) return `The intent is ${status}: only an ended one has a discrepancy.`;
  const isOpen = since !== null && discrepancyClosedAt === null;
  if (isOpen && since.getTime() === seen.getTime()) return null;
  if (isOpen) return `Another discrepancy is open, since ${since.toISOString()}: look at that one.`;
  const last = await lastClosing(tx, intent.id);
  if (last === null) return 'Nothing contradicts how the intent ended: there is nothing to close.';
  return `${last.operator} closed it, ${last.decidedAt.toISOString()}: ${last.closes.closing}.`;
}

async function entryOf(
  tx: Queryable,
  wanted: NewClosing,
  { intent, journal }: LockedIntent,
): Promise<Parameters<typeof appendToChain>[1]> {
  const { rows } = await tx.query<{ seen: number }>({
    name: 'last-observation',
    text: 'select coalesce(max(id), 0) as seen from observations where intent = $1',
    values: [intent.id],
  });
  return {
    id: wanted.decisionId,
    intent: intent.id,
    kind: 'close',
    approves: null,
    override: false,
    operator: wanted.operator,
    authenticated: true,
    evidence: wanted.evidence,
    reason: wanted.reason,
    attempts: attemptsSeen(journal),
    state: 'effective',
    refusalCode: null,
    refusalDetail: null,
    decidedAt: new Date(journal.readAt),
    closes: {
      since: wanted.since.toISOString(),
      reason: intent.discrepancyReason ?? '',
      closing: wanted.closing,
      seen: rows[0]?.seen ?? 0,
    },
  };
}

function isSame({ intent, closes, ...known }: DecisionRow, wanted: NewClosing): boolean {
  return (
    intent === wanted.intentId &&
    closes !== null &&
    'since' in closes &&
    closes.since === wanted.since.toISOString() &&
    closes.closing === wanted.closing &&
    known.evidence === wanted.evidence &&
    known.reason === wanted.reason &&
    known.operator === wanted.operator
  );
}
