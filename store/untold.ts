/**
 * Intents that ended in PostgreSQL alone while their run may still wait for a person (INV-10 from the
 * other side): by a decision, maybe while Temporal was away, or by the answer of a worker that was frozen
 * and given up, whose result nobody hears. They are woken until one wake-up came well after the end;
 * where the run has completed that is a no-op. Only a wake-up that Temporal confirmed counts.
 */
import { type SettleStart, SETTLE_START_COLUMNS } from './settle-start';
import { type Queryable } from './pool';

/** The first wake-up may have met a Temporal that was just coming back. */
const SURELY_TOLD = "interval '1 minute'";
/** So late, the run had gone on without this attempt's answer. */
const LATE = "interval '3 seconds'";
/** Longer than Temporal is away; whoever comes back later finds the run in the Web UI's list. */
const LONG_AGO = "interval '7 days'";
const PAUSE = "interval '10 seconds'";

/**
 * Takes up to `limit` of them, to be woken, those that ended first before others; until {@link markTold}
 * they count as not told. What is read is the decisions and late answers of the last days, each by its
 * own index: a union, since an "or" of the two would read every intent there is.
 */
export async function takeUntold(db: Queryable, limit: number): Promise<readonly SettleStart[]> {
  const { rows } = await db.query<SettleStart>({
    name: 'take-untold',
    text: `
      update intents set audited_at =
        least(clock_timestamp(), finalised_at + ${SURELY_TOLD} - interval '1 millisecond')
      where id in (
        select id from intents
        where id in (
            select intent from decisions
            where state = 'effective' and kind <> 'close' and decided_at > now() - ${LONG_AGO}
            union
            select intent from attempts
            where resolved_at > now() - ${LONG_AGO} and resolved_at - send_deadline > ${LATE})
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

/** After Temporal confirmed their wake-up. */
export async function markTold(db: Queryable, told: readonly SettleStart[]): Promise<void> {
  if (told.length === 0) return;
  await db.query({
    name: 'mark-told',
    text: 'update intents set audited_at = clock_timestamp() where id = any ($1)',
    values: [told.map(({ intentId }) => intentId)],
  });
}
