/**
 * The journal as it stands in the tables, with the database's clock, in one statement. Decisive
 * evidence is always loaded whole; of the look-ups that only said "nothing yet" the latest are
 * enough, so a journal stays small however long an intent waits for a person.
 */
import { type Circuit, holdOf } from '../domain/circuit';
import { type Attempt, type Journal, type Observation } from '../domain/journal';
import { type Status } from '../domain/status';
import { CIRCUIT_MEMBERS } from './circuits';
import { type Queryable } from './pool';
import { queryAs, type Visibility } from './query-as';

/** More than the steps of any look-up schedule; older misses have been acted on already. */
const MISSES_KEPT = 30;

/** Times are floored to the millisecond, the precision in which they are compared. */
const millis = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

const LOAD = `
  select ${millis('clock_timestamp()')} as "readAt",
    (select coalesce(json_agg(json_build_object('effect', effect, 'number', number,
        'generation', generation, 'openedAt', ${millis('opened_at')},
        'sendDeadline', ${millis('send_deadline')}, 'verdict', verdict)
        order by effect, number), '[]')
      from attempts where intent = $1) as attempts,
    (select coalesce(json_agg(json_build_object('effect', effect, 'attempt', attempt,
        'source', source, 'finding', finding, 'askedAt', ${millis('asked_at')},
        'observedAt', ${millis('observed_at')}) order by id), '[]')
      from (
        select *, source = 'look_up' and finding ->> 'kind' in ('absent', 'unknown') as miss,
          row_number() over (partition by source, finding ->> 'kind' order by id desc) as age
        from observations where intent = $1) seen
      where not miss or age <= ${MISSES_KEPT}) as observations,
    (select json_build_object(${CIRCUIT_MEMBERS}) from provider_circuits
      where provider = $2 and failures > 0) as circuit,
    (select sum(amount) >= $3::bigint from intents where draws_on = $1
      and (status not in ('accepted', 'failed', 'canceled') or discrepancy_since is not null)
    ) as "isGivenBack"`;

/** What the row says of an intent, for its journal. */
export interface JournalHead {
  readonly id: string;
  readonly provider: string;
  /** Minor units; null where the effect is not about money. */
  readonly amount: number | null;
  readonly status: Status;
  readonly createdAt: Date;
  readonly cancelRequestedAt: Date | null;
}

interface LoadedRow {
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

/** Reads attempts and observations of an intent whose row was read and locked before. */
export async function loadJournal(db: Queryable, intent: JournalHead): Promise<Loaded> {
  const { rows } = await db.query<LoadedRow>(loadStatement(intent));
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

function loadStatement({ id, provider, amount }: JournalHead) {
  return { name: 'load-journal', text: LOAD, values: [id, provider, amount] };
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
