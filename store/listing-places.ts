/**
 * How far a reconciler has read a provider's listings, per kind of command. A pass may die anywhere: a
 * place moves only after its page was worked through, and reading a page again finds nothing new.
 */
import { type CommandKind } from '../domain/command';
import { type Queryable } from './pool';

/** Effects this old are looked at when a provider is listed for the first time. */
const FIRST_SPAN = "interval '1 day'";
/** Spans overlap by this much: the provider's clock is not the database's. */
const OVERLAP = "interval '1 minute'";

/** One kind of effect at one provider. */
export interface Shelf {
  readonly provider: string;
  readonly kind: CommandKind;
}

/** The page to read next. */
export interface ListingPlace extends Shelf {
  readonly since: Date;
  readonly until: Date;
  /** Where the last page ended; null for the first. */
  readonly cursor: string | null;
  /** The database's clock before the page is asked for, milliseconds. */
  readonly askedAt: number;
}

/**
 * Finds the place; where a span was read to its end, begins the next, up to `lagMs` ago. In whole
 * milliseconds, since a `Date` holds no finer time and {@link leavePlace} knows the place by it.
 */
export async function takePlace(
  db: Queryable,
  { provider, kind }: Shelf,
  lagMs: number,
): Promise<ListingPlace> {
  const { rows } = await db.query<ListingPlace>({
    name: 'take-listing-place',
    text: `
      insert into listing_places as place (provider, kind, since, until)
      values ($1, $2, date_trunc('milliseconds', now()) - ${FIRST_SPAN},
        date_trunc('milliseconds', now()) - make_interval(secs => $3::float8 / 1000))
      on conflict (provider, kind) do update set
        since = case when place.is_read then place.until - ${OVERLAP} else place.since end,
        until = case when place.is_read then greatest(excluded.until, place.until)
          else place.until end,
        is_read = false, updated_at = clock_timestamp()
      returning provider, kind, since, until, cursor,
        extract(epoch from clock_timestamp())::float8 * 1000 as "askedAt"`,
    values: [provider, kind, lagMs],
  });
  const [place] = rows;
  if (place === undefined) throw new Error('a place was neither made nor found');
  return place;
}

/** Moves on behind a page; `next` is null where the span ends. Who comes second moves nothing. */
export async function leavePlace(
  db: Queryable,
  { provider, kind, until, cursor }: ListingPlace,
  next: string | null,
): Promise<void> {
  await db.query({
    name: 'leave-listing-place',
    text: `
      update listing_places set cursor = $5, is_read = $5::text is null,
        updated_at = clock_timestamp()
      where provider = $1 and kind = $2 and until = $3 and cursor is not distinct from $4
        and not is_read`,
    values: [provider, kind, until, cursor, next],
  });
}
