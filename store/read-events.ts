/**
 * The outbox as its tenant reads it: in order, and only so far that nothing can still turn up before
 * what was read (0006 says why). A reader that resumes where it stopped misses nothing.
 */
import { type Queryable } from './pool';
import { queryAs } from './query-as';

/** A place in the order: the transaction of an event, as text since it has 64 bits, and its id. */
export interface EventPlace {
  readonly position: string;
  readonly id: number;
}

/** Before the first event. */
export const FEED_BEGIN: EventPlace = { position: '0', id: 0 };

/** One change of an intent. */
export interface EventRow extends EventPlace {
  readonly intent: string;
  /** The intent's version after the change: 1, 2, 3… */
  readonly sequence: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Of the statement's own snapshot: what it sees and what may still come are told apart exactly. */
const SETTLED = 'position < pg_snapshot_xmin(pg_current_snapshot())';

/** A page of a tenant's events. */
export interface EventPage {
  readonly tenant: string;
  readonly after: EventPlace;
  readonly limit: number;
}

/** The events behind a place, in order. */
export async function readEvents(
  db: Queryable,
  { tenant, after, limit }: EventPage,
): Promise<readonly EventRow[]> {
  const { rows } = await queryAs<EventRow>(
    db,
    { tenant },
    {
      name: 'read-events',
      text: `select position::text, id, intent, sequence, type, data, created_at as "createdAt"
        from intent_events
        where tenant = $1 and (position, id) > ($2::xid8, $3::int8) and ${SETTLED}
        order by intent_events.position, id limit $4`,
      values: [tenant, after.position, after.id, limit],
    },
  );
  return rows;
}

/** Somebody who has read to a place and waits for what comes. */
export interface EventReader {
  readonly tenant: string;
  readonly after: EventPlace;
}

/** Which of them have something to read now, by their index. One probe of the index for each. */
export async function whoCanReadOn(
  db: Queryable,
  readers: readonly EventReader[],
): Promise<readonly number[]> {
  const { rows } = await queryAs<{ reader: number }>(db, 'every-tenant', {
    name: 'who-can-read-on',
    text: `select (reader.index - 1)::int as reader
      from unnest($1::text[], $2::xid8[], $3::int8[]) with ordinality
        as reader (tenant, position, id, index)
      where exists (
        select from intent_events event
        where event.tenant = reader.tenant
          and (event.position, event.id) > (reader.position, reader.id)
          and event.${SETTLED})`,
    values: [
      readers.map(({ tenant }) => tenant),
      readers.map(({ after }) => after.position),
      readers.map(({ after }) => after.id),
    ],
  });
  return rows.map(({ reader }) => reader);
}
