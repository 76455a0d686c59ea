/**
 * What waits for operators, from PostgreSQL alone, so that it can be read while the worker or Temporal is
 * away. Oldest first: age is what hurts.
 */
import { type Concern } from '../domain/concern';
import { INTENT_COLUMNS, type IntentRow } from './intent-row';
import { type Queryable } from './pool';
import { queryAs } from './query-as';

/** One line of the queue. */
export interface QueueLine extends IntentRow {
  readonly concern: Concern;
  /** Since when it is of concern. */
  readonly since: Date;
}

/** What hangs on the whole queue, whatever is shown of it. */
export interface QueueSum {
  readonly concern: Concern;
  /** Null for operations without money. */
  readonly currency: string | null;
  readonly intents: number;
  readonly amount: number;
}

/** Longer than the auditor needs to give an intent a new owner (INV-10). */
const OVERDUE = "interval '1 minute'";

const CONCERNED = `
  select ${INTENT_COLUMNS}, concern,
    coalesce(
      case concern when 'discrepancy' then discrepancy_since when 'cancel' then cancel_requested_at
        when 'held_back' then held_back_since when 'unsent' then created_at when 'overdue' then coalesce(next_step_at, created_at) end,
      unknown_since, review_since, updated_at) as since
  from (
    select *, case
      when is_final then 'discrepancy'
      when status in ('unknown', 'in_review') and exists (
        select from decisions proposed
        where proposed.intent = intents.id and proposed.state = 'proposed' and not exists (
          select from decisions approval
          where approval.approves = proposed.id and approval.state = 'effective')) then 'proposal'
      when status = 'in_review' then 'review'
      when held_back_since is not null then 'held_back'
      when coalesce(next_step_at, created_at) < now() - ${OVERDUE} then 'overdue'
      when status = 'accepted' and created_at
        < now() - (contract ->> 'patienceMs')::float8 * interval '1 millisecond' then 'unsent'
      when cancel_requested_at is not null then 'cancel'
      when status = 'unknown' then 'unknown' end as concern
    from (
      select *, false as is_final from intents
      where status not in ('succeeded', 'failed', 'canceled')
      union all
      select *, true from intents
      where discrepancy_since is not null and discrepancy_closed_at is null
        and status in ('succeeded', 'failed', 'canceled')) intents
  ) intents
  where concern is not null`;

/** The oldest `limit` intents of concern, of one kind if `concern` says so. */
export async function readQueue(
  db: Queryable,
  { concern, limit }: { readonly concern: Concern | null; readonly limit: number },
): Promise<readonly QueueLine[]> {
  const { rows } = await queryAs<QueueLine>(db, 'every-tenant', {
    name: 'read-queue',
    text: `select * from (${CONCERNED}) queue
      where $1::text is null or concern = $1 order by since limit $2`,
    values: [concern, limit],
  });
  return rows;
}

/** How many intents are of concern, and how much money hangs on them. */
export async function sumQueue(db: Queryable): Promise<readonly QueueSum[]> {
  const { rows } = await queryAs<QueueSum>(db, 'every-tenant', {
    name: 'sum-queue',
    text: `select concern, currency, count(*) as intents, coalesce(sum(amount), 0)::bigint as amount
      from (${CONCERNED}) queue group by concern, currency order by concern, currency`,
    values: [],
  });
  return rows;
}
