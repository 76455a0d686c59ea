/**
 * Where all intents stand, in numbers, by one statement. It reads what is not final through the index
 * of those, and discrepancies through theirs: what ended, which is most, is never read.
 */
import { type Status } from '../domain/status';
import { ORPHAN_IS_OPEN } from './orphan-effects';
import { type Queryable } from './pool';
import { queryAs } from './query-as';

/** The intents of one status, operation and provider; ages in seconds, see telemetry. */
interface StatusFigures {
  readonly status: Status;
  readonly operation: string;
  readonly provider: string;
  readonly intents: number;
  readonly oldestSeconds: number;
  readonly overdue: number;
  readonly heldBack: number;
}

/** What waits for a person beside them. */
interface Beside {
  readonly discrepancies: number;
  readonly orphans: number;
}

/** A late step of an intent in review, or held back, waits for a person, not for us: it is not counted. */
const FIGURES = `
  with open as (
    select status, operation, provider, count(*) as intents,
      extract(epoch from clock_timestamp() - min(case status
        when 'in_review' then review_since when 'unknown' then unknown_since
        else created_at end))::float8 as "oldestSeconds",
      count(*) filter (where held_back_since is not null) as "heldBack",
      count(*) filter (where status <> 'in_review' and held_back_since is null
        and coalesce(next_step_at, created_at) < now() - interval '1 minute') as overdue
    from intents where status not in ('succeeded', 'failed', 'canceled')
    group by status, operation, provider
  ), contradicted as (
    select count(*) as discrepancies from intents
    where discrepancy_since is not null and discrepancy_closed_at is null
  ), orphaned as (
    select count(*) as orphans from orphan_effects where ${ORPHAN_IS_OPEN}
  )
  select discrepancies, orphans, open.*
  from contradicted cross join orphaned left join open on true`;

/** Nothing but what is beside them where no intent is open. */
type Row = Beside & (StatusFigures | { readonly status: null });

/** Reads them, of every tenant. */
export async function readFigures(
  db: Queryable,
): Promise<Beside & { readonly groups: readonly StatusFigures[] }> {
  const statement = { name: 'read-figures', text: FIGURES, values: [] };
  const { rows } = await queryAs<Row>(db, 'every-tenant', statement);
  const groups = rows.filter((row) => row.status !== null);
  const { discrepancies = 0, orphans = 0 } = rows[0] ?? {};
  return { groups, discrepancies, orphans };
}
