/**
 * Erasure on request: what one payer's instrument, or one intent, left in the store becomes a
 * tombstone at once. Run by the owner of the tables, in batches; again at any time.
 */
import { type Status } from '../domain/status';
import { type Queryable } from './pool';

/** Whose data: all intents of one of the payer's instruments, or a single intent. Within a tenant. */
export type Subject = { readonly tenant: string } & (
  { readonly source: string } | { readonly intent: string }
);

/** An intent that cannot be a tombstone yet. */
export interface LeftIntent {
  readonly id: string;
  readonly status: Status;
  /** Final, and evidence that nobody has closed contradicts it. */
  readonly isDisputed: boolean;
}

/** What an erasure did. */
export interface Erasure {
  readonly erased: number;
  /** Of the intent that was named: it was a tombstone before. A source finds none of these. */
  readonly alreadyErased: number;
  readonly left: readonly LeftIntent[];
}

/** A lock is held for a batch, never for all that a payer ever did. */
const BATCH = 500;

interface Meant {
  readonly where: string;
  readonly values: readonly string[];
}

/** The condition that finds the intents meant; a source, by the index intents_of_a_source. */
function meant(subject: Subject): Meant {
  return 'source' in subject
    ? {
        where: "tenant = $1 and params ->> 'source' = $2",
        values: [subject.tenant, subject.source],
      }
    : { where: 'tenant = $1 and id = $2::uuid', values: [subject.tenant, subject.intent] };
}

/** Erases what may be erased, and lists what may not be yet. Null where the intent does not exist. */
export async function erase(db: Queryable, subject: Subject): Promise<Erasure | null> {
  const { where, values } = meant(subject);
  const found = await db.query<{ purged: number }>(
    `select count(*) filter (where purged_at is not null) as purged from intents
     where ${where} having count(*) > 0`,
    [...values],
  );
  if (found.rows[0] === undefined && 'intent' in subject) return null;
  const alreadyErased = found.rows[0]?.purged ?? 0;
  let erased = 0;
  let batch: number;
  do {
    batch = await eraseBatch(db, { where, values });
    erased += batch;
  } while (batch > 0);
  const { rows: left } = await db.query<LeftIntent>(
    `select id, status, discrepancy_since is not null and discrepancy_closed_at is null
       and finalised_at is not null as "isDisputed"
     from intents where ${where} and purged_at is null order by id`,
    [...values],
  );
  return { erased, alreadyErased, left };
}

/** Locked in one order, so that two erasures wait for each other and do not deadlock. */
async function eraseBatch(db: Queryable, { where, values }: Meant): Promise<number> {
  const { rows } = await db.query<{ erased: number }>(
    `select purge_intents(array(
       select id from intents
       where ${where} and status in ('succeeded', 'failed', 'canceled')
         and purged_at is null and (discrepancy_since is null or discrepancy_closed_at is not null)
       order by id limit ${BATCH} for no key update)) as erased`,
    [...values],
  );
  return rows[0]?.erased ?? 0;
}
