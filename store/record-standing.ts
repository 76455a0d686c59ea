/**
 * Re-derives where an intent stands and writes it: for what only time changes (a send that is over,
 * patience spent) and for a run that must find its place again.
 */
import { type Journal } from '../domain/journal';
import { standing, type Standing } from '../domain/standing';
import { isFinal } from '../domain/status';
import { type IntentRow } from './intent-row';
import { inLocked, situationOf } from './locked-intent';
import { type Pool } from './pool';
import { writeStanding } from './write-standing';

/** The intent, its journal and standing, as written. */
export interface Recorded {
  readonly intent: IntentRow;
  readonly journal: Journal;
  readonly standing: Standing;
}

/** Writes the present standing of an intent and returns it. */
export async function recordStanding(pool: Pool, intentId: string): Promise<Recorded> {
  return inLocked(pool, intentId, async (tx, { intent, journal }) => {
    const next = standing(situationOf(intent, journal));
    await writeStanding(tx, { intent, journal }, next);
    const status = isFinal(intent.status) ? intent.status : next.status;
    return { intent, journal: { ...journal, status }, standing: next };
  });
}
