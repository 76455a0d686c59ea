/**
 * The journal as it stands in the tables, with the database's clock, in one statement. It stays small
 * however long an intent waits: of what repeats itself, look-ups with the same finding and attempts that
 * never left, only those are loaded that can decide something.
 *
 * Decisions compare the moments of a look-up with a few marks: when an attempt was opened, when a miss
 * begins and ceases to prove something about it, when other evidence came. So of each finding the first
 * and the latest are enough, and those next to a mark on either side: whatever holds for one between
 * them holds for one of them. What is left out is counted nowhere but in pauses, which are all the
 * longest by then.
 */
import { type Circuit, holdOf } from '../domain/circuit';
import { type Attempt, type Journal, type Observation } from '../domain/journal';
import { type ProviderContract } from '../domain/contract';
import { type Status } from '../domain/status';
import { provenAfterMs } from '../domain/times';
import { CIRCUIT_MEMBERS } from './circuits';
import { type Queryable } from './pool';
import { type Brought, inOneTrip, type Statement } from './one-trip';
import { queryAs, type Visibility } from './query-as';

/** More than the steps of any look-up schedule. */
const LATEST_KEPT = 30;

/** Times are floored to the millisecond, the precision in which they are compared. */
const millis = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

/** Wider than what the flooring of times takes away. */
const ABOUT = "interval '2 milliseconds'";

const ATTEMPT_MEMBERS = `'effect', effect, 'number', number, 'generation', generation,
  'openedAt', ${millis('opened_at')}, 'sendDeadline', ${millis('send_deadline')}, 'verdict', verdict`;

const OBSERVATION_MEMBERS = `'effect', effect, 'attempt', attempt, 'source', source,
  'finding', finding, 'askedAt', ${millis('asked_at')}, 'observedAt', ${millis('observed_at')}`;

/** Of an intent that draws on another one: the effect that is given back may be there. */
const GIVES_BACK =
  "(status not in ('accepted', 'failed', 'canceled') or discrepancy_since is not null)";

const LOAD = `
  with tried as materialized (
    select * from (
      select *, row_number() over (partition by effect, verdict order by number) as first,
        row_number() over (partition by effect, verdict order by number desc) as latest
      from attempts where intent = $1) every
    where verdict is distinct from 'not_sent' or first = 1 or latest <= ${LATEST_KEPT}
  ), marks as materialized (
    select unnest(array[opened_at, opened_at + $4::float8 * interval '1 millisecond',
      opened_at + $5::float8 * interval '1 millisecond']) as mark from tried
    union all
    select unnest(array[asked_at, observed_at]) from observations
    where intent = $1 and source <> 'look_up'
  )
  select ${millis('clock_timestamp()')} as "readAt",
    (select coalesce(json_agg(json_build_object(${ATTEMPT_MEMBERS}) order by effect, number), '[]')
      from tried) as attempts,
    (select coalesce(json_agg(json_build_object(${OBSERVATION_MEMBERS}) order by id), '[]')
      from (
        select *, row_number() over same as first, row_number() over backwards as latest,
          lag(asked_at) over same as before, lead(observed_at) over same as after
        from (
          select *, case when finding ->> 'kind' in ('absent', 'unknown')
            then finding - 'why' else finding end as said
          from observations where intent = $1) every
        window same as (partition by source, effect, said order by id),
          backwards as (partition by source, effect, said order by id desc)) seen
      where case source
        when 'look_up' then first = 1 or latest <= ${LATEST_KEPT} or exists (
          select from marks where mark between before - ${ABOUT} and after + ${ABOUT})
        when 'response' then exists (
          select from tried where tried.effect = seen.effect and tried.number = seen.attempt)
        else true end) as observations,
    (select json_build_object(${CIRCUIT_MEMBERS}) from provider_circuits
      where provider = $2 and failures > 0) as circuit,
    (select sum(amount) >= $3::bigint from intents where draws_on = $1 and ${GIVES_BACK}
    ) as "isGivenBack"`;

/**
 * The same of an intent with little to tell, which is nearly every one: nothing is left out, and there is
 * nothing to compare. Needs nothing but the id, so it can be sent together with the lock.
 */
const LOAD_LITTLE = `
  select ${millis('clock_timestamp()')} as "readAt",
    (select coalesce(json_agg(json_build_object(${ATTEMPT_MEMBERS}) order by effect, number), '[]')
      from (select * from attempts where intent = $1 limit ${LATEST_KEPT + 1}) every) as attempts,
    (select coalesce(json_agg(json_build_object(${OBSERVATION_MEMBERS}) order by id), '[]')
      from (select * from observations where intent = $1 limit ${LATEST_KEPT + 1}) every
      ) as observations,
    (select json_build_object(${CIRCUIT_MEMBERS}) from provider_circuits
      where provider = (select provider from intents where id = $1) and failures > 0) as circuit,
    (select sum(amount) >= (select amount from intents where id = $1) from intents
      where draws_on = $1 and ${GIVES_BACK}) as "isGivenBack"`;

/** What the row says of an intent, for its journal. */
export interface JournalHead {
  readonly id: string;
  readonly provider: string;
  /** Minor units; null where the effect is not about money. */
  readonly amount: number | null;
  readonly status: Status;
  readonly createdAt: Date;
  readonly cancelRequestedAt: Date | null;
  readonly contract: ProviderContract;
}

/** What {@link loadLittle} brings. */
export interface LoadedRow {
  readonly readAt: number;
  readonly attempts: Attempt[];
  readonly observations: Observation[];
  readonly circuit: Circuit | null;
  /** Null where nothing draws on it. */
  readonly isGivenBack: boolean | null;
}

/** A journal, and the state of the provider's circuit; null where nothing failed lately. */
export interface Loaded {
  readonly journal: Journal;
  readonly circuit: Circuit | null;
}

/** The statement that loads the journal of an intent with little to tell. */
export function loadLittle(intentId: string): Statement {
  return { name: 'load-little', text: LOAD_LITTLE, values: [intentId] };
}

/** The journal from what {@link loadLittle} brought; null where that was not all. */
export function loadedLittle(intent: JournalHead, rows: readonly LoadedRow[]): Loaded | null {
  const [row] = rows;
  const isAll = row && Math.max(row.attempts.length, row.observations.length) <= LATEST_KEPT;
  return isAll === true ? loadedFrom(intent, rows) : null;
}

/** Reads attempts and observations of an intent whose row was read and locked before. */
export async function loadJournal(db: Queryable, intent: JournalHead): Promise<Loaded> {
  // Never by the driver alone: the gateway sends it with `queryAs` on the same connections.
  const [{ rows }] = await inOneTrip<[Brought<LoadedRow>]>(db, [loadStatement(intent)]);
  return loadedFrom(intent, rows);
}

/** The same for the gateway: without a lock, and inside what the caller may see. */
export async function readJournal(
  db: Queryable,
  intent: JournalHead,
  visibility: Visibility,
): Promise<Journal> {
  const { rows } = await queryAs<LoadedRow>(db, visibility, loadStatement(intent));
  return loadedFrom(intent, rows).journal;
}

function loadStatement({ id, provider, amount, contract }: JournalHead) {
  const sees = contract.lookUp?.seesBackMs ?? null;
  const values = [id, provider, amount, provenAfterMs(contract), sees === 'forever' ? null : sees];
  return { name: 'load-journal', text: LOAD, values };
}

function loadedFrom(intent: JournalHead, [row]: readonly LoadedRow[]): Loaded {
  if (row === undefined) throw new Error('a select without from returned no row');
  const { circuit, isGivenBack, ...read } = row;
  const hold = circuit === null ? undefined : holdOf(circuit, read.readAt);
  const journal = {
    status: intent.status,
    createdAt: intent.createdAt.getTime(),
    cancelRequestedAt: intent.cancelRequestedAt?.getTime() ?? null,
    ...read,
    ...(hold !== undefined && { hold }),
    ...(isGivenBack === true && { isGivenBack }),
  };
  return { journal, circuit };
}
