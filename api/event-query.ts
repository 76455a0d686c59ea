/** Where to go on in the feed, and how far; anything that is not understood is 400, never ignored. */
import { z } from 'zod';
import { type EventPlace, FEED_BEGIN } from '../store/read-events';
import { faultsOf, invalidParameters, wording } from './read-parameters';

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 1_000;
const LIMIT_RULE = `must be 1 to ${MOST_LIMIT}`;
/** An event's place as the cursor holds it; more digits than either number can have are none. */
const PLACE = /^(\d{1,19})\.(\d{1,15})$/;

/** What the feed may be asked for. */
export const eventQuerySchema = z.strictObject({
  after: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, LIMIT_RULE)
    .transform(Number)
    .pipe(z.int({ error: LIMIT_RULE }).min(1, LIMIT_RULE).max(MOST_LIMIT, LIMIT_RULE))
    .optional(),
});

/** What the query asks for. Throws 400 `invalid-parameters`. */
export function readEventQuery(query: unknown): {
  readonly after: EventPlace;
  readonly limit: number;
} {
  const parsed = eventQuerySchema.safeParse(query, { error: wording });
  if (!parsed.success) throw invalidParameters(parsed.error.issues.flatMap(faultsOf));
  const { after, limit = DEFAULT_LIMIT } = parsed.data;
  return { after: after === undefined ? FEED_BEGIN : placeOf(after), limit };
}

/** A place as callers carry it: opaque, so that the order behind it may change. */
export function eventCursor({ position, id }: EventPlace): string {
  return Buffer.from(`${position}.${id}`).toString('base64url');
}

function placeOf(cursor: string): EventPlace {
  const [, position, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = position === undefined || id === undefined ? null : { position, id: Number(id) };
  // Only what we have made ourselves: base64 has more than one spelling of a text.
  if (place !== null && eventCursor(place) === cursor) return place;
  throw invalidParameters([
    { pointer: '/after', detail: 'must be a next_cursor of an earlier page' },
  ]);
}
