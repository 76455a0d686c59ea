/** Reads for the gateway: one intent, or a page of them, always inside what the caller may see. */
import { endsTheWait, type Status, STATUSES } from '../domain/status';
import { INTENT_COLUMNS, type IntentRow } from './intent-row';
import { type Queryable } from './pool';
import { queryAs, type Visibility } from './query-as';

/** One intent by id; null where it does not exist or may not be seen (the two look alike). */
export async function readIntent(
  db: Queryable,
  id: string,
  visibility: Visibility,
): Promise<IntentRow | null> {
  const { rows } = await queryAs<IntentRow>(db, visibility, {
    name: 'read-intent',
    text: `select ${INTENT_COLUMNS} from intents where id = $1 and ($2::text is null or tenant = $2)`,
    values: [id, tenantOf(visibility)],
  });
  return rows[0] ?? null;
}

/** A page's filters; absent members do not filter. */
export interface IntentFilter {
  readonly operation?: string | undefined;
  /** Keyed digest of the idempotency key. */
  readonly keyDigest?: Buffer | undefined;
  readonly status?: Status | undefined;
  readonly reference?: string | undefined;
  /** Only intents older than this id. */
  readonly olderThan?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listIntents(
  db: Queryable,
  visibility: Visibility,
  filter: IntentFilter,
): Promise<readonly IntentRow[]> {
  const { rows } = await queryAs<IntentRow>(db, visibility, {
    name: 'list-intents',
    text: `select ${INTENT_COLUMNS} from intents
      where ($1::text is null or tenant = $1) and ($2::text is null or operation = $2)
        and ($3::bytea is null or key_digest = $3) and ($4::text is null or status = $4)
        and ($5::text is null or business_key = $5) and ($6::uuid is null or id < $6)
      order by id desc limit $7`,
    values: [
      tenantOf(visibility),
      filter.operation ?? null,
      filter.keyDigest ?? null,
      filter.status ?? null,
      filter.reference ?? null,
      filter.olderThan ?? null,
      filter.limit,
    ],
  });
  return rows;
}

/** Those of the given intents on which no caller need wait any longer. */
export async function whichEndedTheWait(
  db: Queryable,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await queryAs<{ id: string }>(db, 'every-tenant', {
    name: 'which-ended-the-wait',
    text: 'select id from intents where id = any ($1::uuid[]) and status = any ($2::text[])',
    values: [ids, STATUSES.filter(endsTheWait)],
  });
  return rows.map(({ id }) => id);
}

function tenantOf(visibility: Visibility): string | null {
  return visibility === 'every-tenant' ? null : visibility.tenant;
}
