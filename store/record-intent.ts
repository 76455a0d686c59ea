/**
 * Records an intent, or finds the one that its identity already names (INV-1). One statement claims,
 * and alone decides; nothing is sent before it has committed (INV-2).
 *
 * Race: two gateways insert one identity at the same moment. The unique constraint lets one commit.
 * The other gets no row back or, where PostgreSQL met another unique index of the row first, an error
 * that names it; it reads in a new statement (its snapshot could not see the winner) and answers
 * like any repeat.
 */
import { type Policy, type ProviderContract } from '../domain/contract';
import { INTENT_COLUMNS, type IntentRow } from './intent-row';
import { type Queryable, refusal } from './pool';
import { type Statement } from './one-trip';
import { queryAs } from './query-as';

/** A validated request that claims an identity. */
export interface NewIntent {
  readonly tenant: string;
  readonly operation: string;
  readonly operationVersion: number;
  readonly idempotencyKey: string;
  /** Keyed digest of the idempotency key, 32 bytes. */
  readonly keyDigest: Buffer;
  /** Digest of the canonical parameters, 32 bytes, under `fingerprintVersion`. */
  readonly fingerprint: Buffer;
  readonly fingerprintVersion: number;
  readonly businessKey: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Minor units; null, like the currency, where the effect is not about money. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly provider: string;
  /** Whose credentials may act for it. */
  readonly providerAccount: string;
  readonly contract: ProviderContract;
  readonly policy: Policy;
  readonly workflowId: string;
  /** What it draws on, where it does (`record-draw.ts`). */
  readonly drawsOn?: DrawnIntent;
}

/** The intent that another one draws on, and the provider's own id of its effect. */
export interface DrawnIntent {
  readonly intent: string;
  readonly providerId: string;
}

/**
 * - `new`: this call claimed the identity
 * - `existing`: the identity was claimed before; whether it is the *same* request, the fingerprint
 *   says, compared by the caller under the row's own fingerprint version
 * - `business_key_taken`: another live intent holds the business key; nothing was written
 */
export type Recorded =
  | { readonly kind: 'new'; readonly intent: IntentRow }
  | { readonly kind: 'existing'; readonly intent: IntentRow }
  | { readonly kind: 'business_key_taken'; readonly intent: IntentRow };

const FIND = `
  select ${INTENT_COLUMNS} from intents
  where tenant = $1 and operation = $2 and key_digest = $3`;

const CLAIM = `
  with claimed as (
    insert into intents (tenant, operation, operation_version, key_digest, idempotency_key,
      fingerprint, fingerprint_version, business_key, params, amount, currency, provider, contract,
      policy, workflow_id, draws_on, draws_on_provider_id, provider_account, reason, next_step_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
      $18,
      'Recorded; about to be sent.', now() + interval '5 seconds')
    on conflict on constraint inv1_one_identity_one_intent do nothing
    returning ${INTENT_COLUMNS}
  ), announced as (
    insert into intent_events (intent, tenant, sequence, type, data)
    select id, tenant, version, 'resolute.intent.accepted',
      jsonb_build_object('id', id, 'operation', operation, 'status', status,
        'reference', "businessKey", 'amount', amount, 'currency', currency, 'reason', reason)
    from claimed
  )
  select * from claimed`;

/** A claimed identity is visible to the next look; a second round covers the race, more is a bug. */
const ROUNDS = 3;

/**
 * Claims the identity or returns its holder. For callers who have looked: an attempt to insert costs
 * more than a look, and repeats are many. Throws only when the store cannot be used.
 */
export async function recordIntent(db: Queryable, intent: NewIntent): Promise<Recorded> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const claimed = await claim(db, intent);
    if (claimed !== null) return claimed;
    const holder = await findRecorded(db, intent);
    if (holder !== null) return { kind: 'existing', intent: holder };
  }
  throw new Error('an identity was claimed by another request and then could not be read');
}

/** What makes two requests one (INV-1). */
export type Identity = Pick<NewIntent, 'tenant' | 'operation' | 'keyDigest'>;

/** The statement by which the holder of an identity is found. */
export function findStatement({ tenant, operation, keyDigest }: Identity): Statement {
  return { name: 'find-intent', text: FIND, values: [tenant, operation, keyDigest] };
}

/** The holder of an identity, if it was claimed. */
export async function findRecorded(db: Queryable, identity: Identity): Promise<IntentRow | null> {
  const { rows } = await queryAs<IntentRow>(db, identity, findStatement(identity));
  return rows[0] ?? null;
}

async function claim(db: Queryable, intent: NewIntent): Promise<Recorded | null> {
  try {
    const { rows } = await queryAs<IntentRow>(db, intent, {
      name: 'claim-intent',
      text: CLAIM,
      values: claimValues(intent),
    });
    return rows[0] === undefined ? null : { kind: 'new', intent: rows[0] };
  } catch (error) {
    const constraint = refusal(error)?.constraint;
    // Only a twin has the same workflow id: the race is lost, the next look finds the winner.
    if (constraint === 'workflow_names_one_intent') return null;
    if (constraint === 'business_key_is_taken_once') return holderOf(db, intent);
    throw error;
  }
}

function claimValues(intent: NewIntent): unknown[] {
  return [
    intent.tenant,
    intent.operation,
    intent.operationVersion,
    intent.keyDigest,
    intent.idempotencyKey,
    intent.fingerprint,
    intent.fingerprintVersion,
    intent.businessKey,
    intent.params,
    intent.amount,
    intent.currency,
    intent.provider,
    intent.contract,
    intent.policy,
    intent.workflowId,
    intent.drawsOn?.intent ?? null,
    intent.drawsOn?.providerId ?? null,
    intent.providerAccount,
  ];
}

/**
 * Who stands in the way. A twin of our own identity may have won between our look and our insert and
 * then holds the business key as well: that is a repeat, not a conflict. Null where the holder
 * failed meanwhile and freed the key: try again.
 */
export async function holderOf(db: Queryable, intent: NewIntent): Promise<Recorded | null> {
  const { rows } = await queryAs<IntentRow & { own: boolean }>(db, intent, {
    name: 'holder-of-intent',
    text: `select ${INTENT_COLUMNS}, key_digest = $3 as own from intents
      where tenant = $1 and operation = $2
        and (key_digest = $3 or (business_key = $4 and draws_on is not distinct from $5
          and status not in ('failed', 'canceled')))
      order by key_digest = $3 desc limit 1`,
    values: [
      intent.tenant,
      intent.operation,
      intent.keyDigest,
      intent.businessKey,
      intent.drawsOn?.intent ?? null,
    ],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { own, ...rest } = row;
  return { kind: own ? 'existing' : 'business_key_taken', intent: rest };
}
