/**
 * Writes where an intent stands: the one function through which a status ever changes. Row, attempt
 * verdicts and outbox event go in one statement, and waiting callers are told in the same commit. The row
 * refuses what was derived from another version than its own (INV-7, migration 0021).
 */
import { type Belief } from '../domain/assess';
import { judgeReverts } from '../domain/assess-revert';
import { type Attempt, type AttemptVerdict, type Effect, type Finding } from '../domain/journal';
import { isContradictedAnew } from '../domain/later-contradiction';
import { type Standing } from '../domain/standing';
import { isFinal, mayMove, type Status } from '../domain/status';
import { lastClosing } from './closings';
import { type IntentRow } from './intent-row';
import { type LockedIntent } from './locked-intent';
import { SETTLED_CHANNEL } from './listen';
import { note } from './observe-commits';
import { type Queryable } from './pool';
import { markToldOtherwise } from './told-otherwise';
import { type Transaction } from './transaction';

const WRITE = `
  with moved as (
    update intents set
      status = $3, version = $2 + ($3 <> status)::int, reason = $4,
      next_step_at = to_timestamp($5::float8 / 1000), rejection = $6,
      provider_id = coalesce($7, provider_id), attempt_count = $8,
      unknown_since = case
        when $3 in ('unknown', 'in_review') and $9 then coalesce(unknown_since, clock_timestamp())
        when $3 in ('unknown', 'in_review') then unknown_since end,
      review_since = case when $3 = 'in_review' then coalesce(review_since, clock_timestamp()) end,
      finalised_at = case when $3 in ('succeeded', 'failed', 'canceled') then clock_timestamp() end,
      updated_at = clock_timestamp()
    where id = $1
    returning *
  ), judged as (
    update attempts set verdict = new.verdict, resolved_at = clock_timestamp()
    from jsonb_to_recordset($10::jsonb) as new (effect text, number int, verdict text), moved
    where attempts.intent = moved.id and attempts.effect = new.effect
      and attempts.number = new.number
      and attempts.verdict is distinct from new.verdict
  ), announced as (
    insert into intent_events (intent, tenant, sequence, type, data)
    select id, tenant, version, 'resolute.intent.' || status,
      jsonb_build_object('id', id, 'operation', operation, 'status', status,
        'reference', business_key, 'amount', amount, 'currency', currency,
        'provider', provider, 'provider_id', provider_id, 'reason', reason)
    from moved where version > $2
  )
  select version, case when version > $2 and status in ('succeeded', 'failed', 'canceled', 'in_review')
    then pg_notify('${SETTLED_CHANNEL}', id::text) end
  from moved`;

/**
 * Writes a standing derived under the lock, at the latest with COMMIT. A final intent is left as it is
 * (INV-6): evidence against it opens a discrepancy instead.
 */
export async function writeStanding(
  tx: Transaction,
  { intent, journal }: LockedIntent,
  next: Standing,
): Promise<void> {
  if (isFinal(intent.status)) {
    await noteDiscrepancy(tx, { intent, journal }, next);
    await markToldOtherwise(tx, { intent, journal }, intent.status);
    return;
  }
  if (!mayMove(intent.status, next.status)) {
    throw new Error(`no move from ${intent.status} to ${next.status} (${next.reason})`);
  }
  tx.later({
    name: 'write-standing',
    text: WRITE,
    values: [
      intent.id,
      intent.version,
      next.status,
      next.reason,
      next.nextStepAt,
      rejectionOf(next.belief),
      providerIdOf(next.belief, journal.observations),
      journal.attempts.findLast((one) => one.effect === 'apply')?.number ?? 0,
      next.status === 'unknown' || next.belief.kind === 'doubt',
      JSON.stringify([...verdictsOf(next.belief), ...revertVerdicts({ intent, journal })]),
    ],
  });
  if (next.status !== intent.status) noteMove(tx, { intent, journal }, next);
}

/** For those who count. */
function noteMove(tx: Queryable, { intent, journal }: LockedIntent, next: Standing): void {
  const { operation, provider, policy } = intent;
  const { belief, status: to } = next;
  const sent = belief.attempts.filter(({ proof }) => proof !== 'not_sent');
  const isUsedUp = belief.kind === 'not_applied' && sent.length >= policy.attemptCap;
  note(tx, {
    kind: 'moved',
    operation,
    provider,
    to,
    journal,
    isUsedUp: to === 'failed' && isUsedUp,
    isDoubled: belief.kind === 'conflict' && belief.isDoubled,
  });
}

/** A version of its own, though the status stays: the event's place among those of the intent. */
const CONTRADICT = `
  with contradicted as (
    update intents set discrepancy_since = clock_timestamp(), discrepancy_reason = $2,
      discrepancy_closed_at = null, version = version + 1, updated_at = clock_timestamp()
    where id = $1
    returning *
  )
  insert into intent_events (intent, tenant, sequence, type, data)
  select id, tenant, version, 'resolute.intent.discrepancy',
    jsonb_build_object('id', id, 'operation', operation, 'status', status,
      'reference', business_key, 'amount', amount, 'currency', currency,
      'provider', provider, 'provider_id', provider_id, 'reason', discrepancy_reason)
  from contradicted`;

/** INV-6: history is not rewritten; a contradiction after the end is shown beside it, and told. */
async function noteDiscrepancy(
  tx: Queryable,
  { intent }: LockedIntent,
  next: Standing,
): Promise<void> {
  const reason = contradiction(intent.status, next);
  const isOpen = intent.discrepancySince !== null && intent.discrepancyClosedAt === null;
  if (reason === null || isOpen || !(await isNews(tx, intent))) return;
  await tx.query({ name: 'contradict', text: CONTRADICT, values: [intent.id, reason] });
  const { operation, provider } = intent;
  note(tx, { kind: 'contradicted', operation, provider });
}

/** What a person has closed stays closed, until evidence comes that the closing did not know. */
async function isNews(tx: Queryable, { id, status, providerId }: IntentRow): Promise<boolean> {
  const last = await lastClosing(tx, id);
  if (last === null) return true;
  const { closing, seen } = last.closes;
  const { rows } = await tx.query<{ finding: Finding; isLater: boolean }>({
    name: 'findings-by-closing',
    text: `select finding, id > $2 as "isLater" from observations
      where intent = $1 and effect = 'apply' order by id`,
    values: [id, seen],
  });
  const findings = (isLater: boolean): readonly Finding[] =>
    rows.filter((row) => row.isLater === isLater).map(({ finding }) => finding);
  const [before, after] = [findings(false), findings(true)];
  return isContradictedAnew({ status, providerId, closing, before, after });
}

function contradiction(status: Status, next: Standing): string | null {
  // The same evidence leads to the same end: an effect that was undone counts as applied and canceled.
  if (next.status === status) return null;
  if (next.belief.kind === 'conflict') return next.belief.pieces.join('; ');
  if (next.belief.kind === 'applied') {
    const { providerId } = next.belief;
    return providerId === null
      ? `An operator says that it was applied, the intent ended ${status}.`
      : `The provider shows effect ${providerId}, the intent ended ${status}.`;
  }
  return null;
}

/** The stored copy of what is proven of each attempt; an open one stays without. */
function verdictsOf(belief: Belief): readonly StoredVerdict[] {
  if (belief.kind === 'applied') {
    // Which of several copies it was cannot be told and does not matter: one effect, one verdict.
    const open = belief.attempts.filter((one) => one.proof === null).at(-1);
    return open === undefined ? [] : [stored(open.attempt, 'applied')];
  }
  return belief.attempts.flatMap(({ attempt, proof }) =>
    // What an operator's word closes counts as absent; whose word it is stands in the journal.
    proof === null ? [] : [stored(attempt, proof === 'decided' ? 'absent' : proof)],
  );
}

function revertVerdicts({ intent, journal }: LockedIntent): readonly StoredVerdict[] {
  return judgeReverts(journal, intent.contract).flatMap(({ attempt, verdict }) =>
    verdict === null ? [] : [stored(attempt, verdict)],
  );
}

interface StoredVerdict {
  readonly effect: Effect;
  readonly number: number;
  readonly verdict: AttemptVerdict;
}

function stored({ effect, number }: Attempt, verdict: AttemptVerdict): StoredVerdict {
  return { effect, number, verdict };
}

function rejectionOf(belief: Belief): { code: string; declined: boolean } | null {
  return belief.kind === 'rejected' ? { code: belief.code, declined: belief.declined } : null;
}

function providerIdOf(
  belief: Belief,
  observations: LockedIntent['journal']['observations'],
): string | null {
  if (belief.kind === 'applied') return belief.providerId;
  const pending = observations.find((one) => one.finding.kind === 'pending')?.finding;
  return pending?.kind === 'pending' ? pending.providerId : null;
}
