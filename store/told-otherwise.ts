/**
 * Ended intents that a notification speaks against, while the provider has not been asked since: their
 * run is over, so the auditor asks. Marked in the transaction that hears the notification, unmarked by
 * the one that records an answer.
 */
import { isToldOtherwise } from '../domain/told-after-end';
import { type Outcome } from '../domain/status';
import { type LockedIntent } from './locked-intent';
import { type Queryable } from './pool';

/** How long an intent that was just asked about is left alone. */
const PAUSE = "interval '30 seconds'";

/** Takes up to `limit` ids, oldest first; each is taken by one auditor at a time. */
export async function takeToldOtherwise(db: Queryable, limit: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'take-told-otherwise',
    text: `
      update intents set audited_at = clock_timestamp()
      where id in (
        select id from intents
        where told_otherwise_since is not null
          and (audited_at is null or audited_at < now() - ${PAUSE})
        order by told_otherwise_since limit $1
        for update skip locked)
      returning id`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Marks or unmarks an ended intent that is locked. A purged one cannot be asked about any more. */
export async function markToldOtherwise(
  tx: Queryable,
  { intent, journal }: LockedIntent,
  outcome: Outcome,
): Promise<void> {
  const isTold = intent.purgedAt === null && isToldOtherwise(outcome, journal, intent.contract);
  await tx.query({
    name: 'mark-told-otherwise',
    // Hearing it may have been the auditor's work: it shall ask in its next pass, not after the pause.
    text: `update intents set told_otherwise_since = case when $2 then clock_timestamp() end,
        audited_at = case when $2 then null else audited_at end
      where id = $1 and (told_otherwise_since is not null) <> $2`,
    values: [intent.id, isTold],
  });
}
