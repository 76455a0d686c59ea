/**
 * Notifications that are not evidence yet. Most are heard with the next lock on their intent; these
 * are left: about an ended intent, about one whose wake-up got lost, or about nothing of ours (yet).
 */
import { type Status } from '../domain/status';
import { type SettleStart, SETTLE_START_COLUMNS } from './settle-start';
import { type Queryable } from './pool';

const WAITING = 'matched_at is null and said is not null';

/** An intent with notifications that could be heard now. */
export interface Unheard extends SettleStart {
  readonly status: Status;
}

/** How long an intent that was just looked after is left alone. */
const PAUSE = "interval '30 seconds'";

/** Takes up to `limit` of them; each is taken by one auditor at a time. */
export async function takeUnheard(db: Queryable, limit: number): Promise<readonly Unheard[]> {
  const { rows } = await db.query<Unheard>({
    name: 'take-unheard',
    text: `
      update intents set audited_at = clock_timestamp()
      where id in (
        select id from intents
        where (id, provider) in (
            select about, provider from provider_notifications told
            where ${WAITING} and about is not null and exists (
              select from attempts where intent = told.about and effect = told.effect))
          and (audited_at is null or audited_at < now() - ${PAUSE})
        limit $1
        for update skip locked)
      returning ${SETTLE_START_COLUMNS}, status`,
    values: [limit],
  });
  return rows;
}

/** Those that nothing was found for. */
export interface Unmatched {
  readonly count: number;
  /** How many of them have waited long and were not alarmed before. */
  readonly alarmed: number;
  readonly oldest: Date | null;
}

/** Counting more would tell nobody more. */
const COUNTED = 1_000;
/** An intent's own row is committed before anything is sent, so after this something is wrong. */
const ALARM_AFTER = "interval '1 minute'";

/** Counts them (1000 stands for more), and marks those that are to be alarmed: each once. */
export async function alarmUnmatched(db: Queryable): Promise<Unmatched> {
  const { rows } = await db.query<Unmatched>({
    name: 'alarm-unmatched',
    text: `
      with due as (
        update provider_notifications set alarmed_at = clock_timestamp()
        where id in (
          select id from provider_notifications
          where ${WAITING} and alarmed_at is null and received_at < now() - ${ALARM_AFTER}
          limit ${COUNTED} for update skip locked)
        returning 1
      )
      select (select count(*)::int from due) as alarmed, count(*)::int as count,
        min(received_at) as oldest
      from (select received_at from provider_notifications where ${WAITING} limit ${COUNTED}) waiting`,
    values: [],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}

/** One that waits, as a person looks into it. */
export interface UnmatchedNotification {
  readonly provider: string;
  readonly eventId: string;
  readonly type: string;
  /** The intent that it names; null where its reference is none of ours. */
  readonly about: string | null;
  /** The provider's own id of the effect, to look it up there. */
  readonly providerId: string | null;
  readonly receivedAt: Date;
}

/** Oldest first; run by the owner of the tables. */
export async function listUnmatched(
  db: Queryable,
  limit: number,
): Promise<readonly UnmatchedNotification[]> {
  const { rows } = await db.query<UnmatchedNotification>(
    `select provider, event_id as "eventId", type, about,
       said -> 'finding' ->> 'providerId' as "providerId", received_at as "receivedAt"
     from provider_notifications where ${WAITING} order by id limit $1`,
    [limit],
  );
  return rows;
}
