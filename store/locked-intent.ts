/**
 * An intent under its row lock: the only state from which anything about it may be written. Whoever
 * takes the lock first makes evidence of the notifications that wait, so that nothing is ever decided
 * beside them.
 */
import { type Journal } from '../domain/journal';
import { standing } from '../domain/standing';
import { type Situation } from '../domain/step';
import { hearNotifications } from './hear-notifications';
import { INTENT_COLUMNS, type IntentRow } from './intent-row';
import { type Loaded, loadJournal } from './load-journal';
import { type Queryable } from './pool';
import { writeStanding } from './write-standing';

/** The row and the journal, both read after the lock was granted. */
export interface LockedIntent {
  readonly intent: IntentRow;
  readonly journal: Journal;
}

/** The same, with the state of its provider's circuit; null where nothing failed lately. */
export type Locked = LockedIntent & Pick<Loaded, 'circuit'>;

/** Locks one intent until the transaction ends. Throws IntentMissingError. */
export async function lockIntent(tx: Queryable, intentId: string): Promise<Locked> {
  const locked = await findLocked(tx, intentId);
  if (locked === null) throw new IntentMissingError(intentId);
  return locked;
}

/** A run is there and its intent is not: the database was put back to an earlier time, or exchanged. */
export class IntentMissingError extends Error {
  override readonly name = 'IntentMissingError';

  constructor(intentId: string) {
    super(`intent ${intentId} is not in this database`);
  }
}

/** The same for an id that comes from outside: null where there is no such intent. */
export async function findLocked(tx: Queryable, intentId: string): Promise<Locked | null> {
  const row = await lockRow(tx, intentId);
  if (row === null) return null;
  const { hasNews, ...intent } = row;
  const before = await loadJournal(tx, intent);
  if (!hasNews || !(await hearNotifications(tx, intent))) return { intent, ...before };
  const { journal, circuit } = await loadJournal(tx, intent);
  await writeStanding(tx, { intent, journal }, standing(situationOf(intent, journal)));
  const moved = await readRow(tx, intentId);
  return { intent: moved, journal: { ...journal, status: moved.status }, circuit };
}

/** The row, and whether notifications wait that name it. */
async function lockRow(
  tx: Queryable,
  intentId: string,
): Promise<(IntentRow & { readonly hasNews: boolean }) | null> {
  const { rows } = await tx.query<IntentRow & { hasNews: boolean }>({
    name: 'lock-intent',
    text: `select ${INTENT_COLUMNS}, exists (
        select from provider_notifications
        where about = intents.id and matched_at is null and said is not null) as "hasNews"
      from intents where id = $1 for no key update`,
    values: [intentId],
  });
  return rows[0] ?? null;
}

/** The row of a locked intent after it was written to. */
export async function readRow(tx: Queryable, intentId: string): Promise<IntentRow> {
  const { rows } = await tx.query<IntentRow>({
    name: 'read-locked',
    text: `select ${INTENT_COLUMNS} from intents where id = $1`,
    values: [intentId],
  });
  const [intent] = rows;
  if (intent === undefined) throw new Error(`locked intent ${intentId} is gone`);
  return intent;
}

/** What a decision about it is made from; the database's clock is the time. */
export function situationOf(intent: IntentRow, journal: Journal): Situation {
  return {
    journal,
    contract: intent.contract,
    policy: intent.policy,
    now: journal.readAt,
  };
}
