/**
 * Intents that may have lost their owner (INV-10): not final, and either past the moment at which
 * their workflow should have acted, or with no such moment. The auditor starts their workflow again;
 * where one is open that is a no-op.
 */
import { type SettleStart, SETTLE_START_COLUMNS } from './settle-start';
import { type Queryable } from './pool';

/** How late a workflow may act before it is looked after. */
const GRACE = "interval '10 seconds'";
/** How long an intent that was just looked after is left alone. */
const PAUSE = "interval '30 seconds'";

/** Takes up to `limit` of them, longest unattended first; each is taken by one auditor at a time. */
export async function takeUnattended(
  db: Queryable,
  limit: number,
): Promise<readonly SettleStart[]> {
  const { rows } = await db.query<SettleStart>({
    name: 'take-unattended',
    text: `
      update intents set audited_at = clock_timestamp()
      where id in (
        select id from intents
        where status not in ('succeeded', 'failed', 'canceled')
          and (next_step_at is null or next_step_at < now() - ${GRACE})
          and (audited_at is null or audited_at < now() - ${PAUSE})
        order by audited_at nulls first, next_step_at
        limit $1
        for update skip locked)
      returning ${SETTLE_START_COLUMNS}`,
    values: [limit],
  });
  return rows;
}
