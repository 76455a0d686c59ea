/**
 * The circuits of the providers. Their state comes along with each journal (`load-journal.ts`), so
 * while all is well no statement is added; these here run only after a failure, or while one is open.
 * Always written after the intent's row was locked, in the same transaction: one order, no deadlock.
 */
import { afterAnswer, type Answer, type Circuit, CLOSED, isFailure } from '../domain/circuit';
import { type Queryable } from './pool';

const millis = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

/** The members of a {@link Circuit} as the arguments of `json_build_object`. */
export const CIRCUIT_MEMBERS = `'failures', failures, 'lastFailed', last_failed,
  'failedAt', ${millis('failed_at')}, 'trips', trips, 'openedAt', ${millis('opened_at')},
  'openUntil', ${millis('open_until')}, 'openForMs', open_for_ms,
  'probeUntil', ${millis('probe_until')}`;

/**
 * Takes an answer into account; `known` is the circuit as it came with the journal. Race: two answers
 * at once. The row's lock orders them, and the later one is judged by what the first one left.
 */
export async function noteAnswer(
  tx: Queryable,
  provider: string,
  { answer, known }: { readonly answer: Answer; readonly known: Circuit | null },
): Promise<void> {
  if (known === null && !isFailure(answer.finding)) return;
  await tx.query({
    name: 'make-circuit',
    text: 'insert into provider_circuits (provider) values ($1) on conflict do nothing',
    values: [provider],
  });
  const { rows } = await tx.query<{ circuit: Circuit; now: number }>({
    name: 'lock-circuit',
    text: `select json_build_object(${CIRCUIT_MEMBERS}) as circuit, ${millis('clock_timestamp()')} as now
      from provider_circuits where provider = $1 for update`,
    values: [provider],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`the circuit of ${provider} vanished`);
  const next = afterAnswer(row.circuit, answer, row.now);
  if (next !== row.circuit) await write(tx, provider, { next, why: whyOf(answer) });
}

function whyOf({ finding }: Answer): string | null {
  return 'why' in finding ? finding.why : null;
}

async function write(
  tx: Queryable,
  provider: string,
  { next, why }: { readonly next: Circuit; readonly why: string | null },
): Promise<void> {
  const time = (position: number): string => `to_timestamp($${position}::float8 / 1000)`;
  await tx.query({
    name: 'write-circuit',
    text: `update provider_circuits set failures = $2, last_failed = $3, failed_at = ${time(4)},
        trips = $5, opened_at = ${time(6)}, open_until = ${time(7)}, open_for_ms = $8,
        probe_until = ${time(9)}, why = $10
      where provider = $1`,
    values: [
      provider,
      next.failures,
      next.lastFailed,
      next.failedAt,
      next.trips,
      next.openedAt,
      next.openUntil,
      next.openForMs,
      next.probeUntil,
      next === CLOSED ? null : why,
    ],
  });
}

/**
 * Lets one attempt through an open circuit whose time is over. Race: many intents come at that moment.
 * The row's lock lets one in; the others find the probe under way and are held until it ends.
 */
export async function claimProbe(
  tx: Queryable,
  provider: string,
  probeMs: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'claim-probe',
    text: `update provider_circuits
      set probe_until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
      where provider = $1 and open_until <= clock_timestamp()
        and (probe_until is null or probe_until <= clock_timestamp())`,
    values: [provider, probeMs],
  });
  return rowCount === 1;
}
