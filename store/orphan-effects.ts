/**
 * Effects that a provider shows under a reference of ours, while no intent here is theirs: after a
 * restore, or of another installation that shares the account. They are kept for ever; a person who found
 * out about one closes it, and the closing is a row of the decisions' chain.
 */
import { asOperator } from './as-operator';
import { findClosing } from './closings';
import { appendToChain } from './decision-chain';
import { type DecisionRow } from './decision-row';
import { type Pool, type Queryable, refusal } from './pool';
import { queryAs } from './query-as';

/** One that waits for a person. */
export interface OpenOrphan {
  readonly provider: string;
  /** The provider's own id of the effect. */
  readonly providerId: string;
  /** The intent that its reference names. */
  readonly about: string;
  readonly seenAt: Date;
}

/** The columns that make an {@link OpenOrphan}. */
const COLUMNS = `provider, provider_id as "providerId", about, seen_at as "seenAt"`;

/** The condition of being open. */
export const ORPHAN_IS_OPEN = `not exists (
  select from decisions where intent is null and closes ->> 'provider' = provider
    and closes ->> 'provider_id' = provider_id)`;

/** The oldest `limit` that nobody has closed; for operators. */
export async function readOrphans(db: Queryable, limit: number): Promise<readonly OpenOrphan[]> {
  const { rows } = await queryAs<OpenOrphan>(db, 'every-tenant', {
    name: 'read-orphans',
    text: `select ${COLUMNS} from orphan_effects where ${ORPHAN_IS_OPEN} order by seen_at limit $1`,
    values: [limit],
  });
  return rows;
}

/** A closing as it was asked for; its form was checked. */
export interface NewOrphanClosing {
  readonly provider: string;
  readonly providerId: string;
  readonly decisionId: string;
  readonly evidence: string;
  readonly reason: string;
  /** The holder of a token, never a claim. */
  readonly operator: string;
}

/**
 * - `closed`: now, or by the same request before
 * - `closed_before`: by another one; nothing was recorded
 * - `clash`: the id stands for another decision; nothing was recorded
 */
export type OrphanClosed =
  | { readonly kind: 'closed'; readonly decision: DecisionRow }
  | { readonly kind: 'closed_before' }
  | { readonly kind: 'clash' }
  | { readonly kind: 'no_such_effect' };

/**
 * Closes it. Race: two operators at once. The chain's lock lets one append; the other's row would be the
 * second closing of one effect, which `orphan_is_closed_once` refuses.
 */
export async function closeOrphan(pool: Pool, wanted: NewOrphanClosing): Promise<OrphanClosed> {
  try {
    return await asOperator(pool, (tx) => close(tx, wanted));
  } catch (error) {
    const { constraint } = refusal(error) ?? {};
    if (constraint === 'orphan_is_closed_once') return { kind: 'closed_before' };
    if (constraint === 'decisions_pkey') return { kind: 'clash' };
    throw error;
  }
}

async function close(tx: Queryable, wanted: NewOrphanClosing): Promise<OrphanClosed> {
  const { provider, providerId } = wanted;
  const { rows } = await tx.query<{ now: Date }>({
    name: 'find-orphan',
    text: `select clock_timestamp() as now from orphan_effects
      where provider = $1 and provider_id = $2`,
    values: [provider, providerId],
  });
  const [found] = rows;
  if (found === undefined) return { kind: 'no_such_effect' };
  const known = await findClosing(tx, wanted.decisionId);
  if (known !== null) {
    return isSame(known, wanted) ? { kind: 'closed', decision: known } : { kind: 'clash' };
  }
  const decision = await appendToChain(tx, {
    id: wanted.decisionId,
    intent: null,
    kind: 'close',
    approves: null,
    override: false,
    operator: wanted.operator,
    authenticated: true,
    evidence: wanted.evidence,
    reason: wanted.reason,
    attempts: 0,
    state: 'effective',
    refusalCode: null,
    refusalDetail: null,
    decidedAt: found.now,
    closes: { provider, provider_id: providerId },
  });
  return { kind: 'closed', decision };
}

function isSame({ closes, ...known }: DecisionRow, wanted: NewOrphanClosing): boolean {
  return (
    closes !== null &&
    'provider_id' in closes &&
    closes.provider === wanted.provider &&
    closes.provider_id === wanted.providerId &&
    known.evidence === wanted.evidence &&
    known.reason === wanted.reason &&
    known.operator === wanted.operator
  );
}
