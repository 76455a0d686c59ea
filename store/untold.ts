/**
 * Intents that a decision ended in PostgreSQL alone, maybe while Temporal was away: their run may still
 * wait for a person (INV-10 from the other side). They are woken until one wake-up came well after
 * the end; where the run has completed that is a no-op.
 */
import { type SettleStart, SETTLE_START_COLUMNS } from './settle-start';
import { type Queryable } from './pool';

/** The first wake-up may have met a Temporal that was just coming back. */
const SURELY_TOLD = "interval '1 minute'";
const PAUSE = "interval '10 seconds'";

/** Takes up to `limit` of them; each is taken by one auditor at a time. */
export async function takeUntold(db: Queryable, limit: number): Promise<readonly SettleStart[]> {
  const { rows } = await db.query<SettleStart>({
    name: 'take-untold',
    text: `
      update intents set audited_at = clock_timestamp()
      where id in (
        select id from intents
        where id in (select intent from decisions where state = 'effective')
          and status in ('succeeded', 'failed', 'canceled')
          and (audited_at is null or audited_at < finalised_at + ${SURELY_TOLD})
          and (audited_at is null or audited_at < now() - ${PAUSE})
        order by finalised_at
        limit $1
        for update skip locked)
      returning ${SETTLE_START_COLUMNS}`,
    values: [limit],
  });
  return rows;
}
