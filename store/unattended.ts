/**
 * Intents that may have lost their owner (INV-10): not final, and either past the moment at which
 * their workflow should have acted, or with no such moment, as in a review where nobody can be asked. The
 * auditor starts their workflow again; where one is open that is a no-op. One that is late is told to look
 * again, too; one that waits for a person only where something was written that it may not have heard of:
 * whoever waits for weeks would otherwise be told every half minute that there is nothing new.
 */
import { SETTLE_START_COLUMNS, type Waking } from './settle-start';
import { type Queryable } from './pool';

/** How late a workflow may act before it is looked after. */
const GRACE = "interval '10 seconds'";
/** How long an intent that was just looked after is left alone. */
const PAUSE = "interval '30 seconds'";
/** Longer than what was written then, or was told, can have been under way. */
const SURELY_TOLD = "interval '1 minute'";

/** Takes up to `limit` of them, longest unattended first; each is taken by one auditor at a time. */
export async function takeUnattended(db: Queryable, limit: number): Promise<readonly Waking[]> {
  const { rows } = await db.query<Waking>({
    name: 'take-unattended',
    text: `
      with taken as (
        select id as taken_id, audited_at - ${SURELY_TOLD} as told_until from intents
        where status not in ('succeeded', 'failed', 'canceled')
          and (next_step_at is null or next_step_at < now() - ${GRACE})
          and (audited_at is null or audited_at < now() - ${PAUSE})
        order by audited_at nulls first, next_step_at
        limit $1
        for update skip locked)
      update intents set audited_at = clock_timestamp() from taken where id = taken_id
      returning ${SETTLE_START_COLUMNS}, next_step_at is not null or told_until is null
        or coalesce(cancel_requested_at >= told_until, false)
        or exists (select from decisions where intent = intents.id and decided_at >= told_until)
        or exists (select from observations where intent = intents.id and observed_at >= told_until)
        as "hasNews"`,
    values: [limit],
  });
  return rows;
}
