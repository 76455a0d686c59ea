/** Joins effects that a provider lists with our intents; keeps those that have none. */
import { type KnownIntent } from '../domain/listed-effect';
import { type SettleStart, SETTLE_START_COLUMNS } from './settle-start';
import { type Queryable } from './pool';

/** An intent that a listed effect names by our reference. */
export interface ListedIntent extends SettleStart, KnownIntent {}

/** Those of the intents that were sent through this provider. */
export async function findListed(
  db: Queryable,
  provider: string,
  intentIds: readonly string[],
): Promise<readonly ListedIntent[]> {
  const { rows } = await db.query<ListedIntent>({
    name: 'find-listed',
    text: `
      select ${SETTLE_START_COLUMNS}, status, provider_id as "providerId",
        discrepancy_since is not null and discrepancy_closed_at is null as "hasDiscrepancy",
        (select count(*)::int from attempts where intent = intents.id and effect = 'apply')
          as attempts
      from intents where id = any ($2::uuid[]) and provider = $1`,
    values: [provider, intentIds],
  });
  return rows;
}

/** An effect under a reference of ours, without an intent here. */
export interface OrphanEffect {
  readonly provider: string;
  readonly providerId: string;
  /** The intent that its reference names. */
  readonly about: string;
}

/** Keeps one; true where it was not known before, so that it is alarmed once. */
export async function keepOrphan(
  db: Queryable,
  { provider, providerId, about }: OrphanEffect,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'keep-orphan',
    text: `insert into orphan_effects (provider, provider_id, about) values ($1, $2, $3)
      on conflict on constraint orphan_is_alarmed_once do nothing`,
    values: [provider, providerId, about],
  });
  return rowCount === 1;
}
