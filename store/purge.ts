/**
 * Retention: what may go some days after an outcome (docs/retention.md). What is purged and who is
 * exempt stands in the functions of migration 0008, which the worker's role may call and not widen.
 *
 * Race: evidence arrives for an intent that is due. Both want the row's lock. Where the evidence has
 * it, the purge passes over the row, and over a discrepancy for as long as it is open. Where the purge
 * has it, the evidence waits for one batch and is then recorded beside the tombstone.
 */
import { type Queryable } from './pool';

/** One batch: of which operation, how many days after the outcome, how many rows at most (1000). */
export interface PurgeBatch {
  readonly operation: string;
  /** At least 30; the database refuses less. */
  readonly days: number;
  readonly most: number;
}

/** Purges the oldest that are due and says how many; fewer than `most` means that nothing is left. */
export async function purgeExpired(db: Queryable, batch: PurgeBatch): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: 'purge-expired',
    text: 'select purge_expired($1, $2, $3) as purged',
    values: [batch.operation, batch.days, batch.most],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a select without from returned no row');
  return row.purged;
}
