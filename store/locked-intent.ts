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

/** Locks one intent until the transaction ends. Throws where it does not exist: that is a bug. */
export async function lockIntent(
  tx: Queryable,
  intentId: string,
): Promise<LockedIntent & Pick<Loaded, 'circuit'>> {
  const { intent, hasNews } = await lockRow(tx, intentId);
  const before = await loadJournal(tx, intent);
  if (!hasNews || !(await hearNotifications(tx, intent))) return { intent, ...before };
  const { journal, circuit } = await loadJournal(tx, intent);
  await writeStanding(tx, { intent, journal }, standing(situationOf(intent, journal)));
  const moved = (await lockRow(tx, intentId)).intent;
  return { intent: moved, journal: { ...journal, status: moved.status }, circuit };
}

/** The row, and whether notifications wait that name it. */
async function lockRow(
  tx: Queryable,
  intentId: string,
): Promise<{ readonly intent: IntentRow; readonly hasNews: boolean }> {
  const { rows } = await tx.query<IntentRow & { hasNews: boolean }>({
    name: 'lock-intent',
    text: `select ${INTENT_COLUMNS}, exists (
        select from provider_notifications
        where about = intents.id and matched_at is null and said is not null) as "hasNews"
      from intents where id = $1 for no key update`,
    values: [intentId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`intent ${intentId} is not in this database`);
  const { hasNews, ...intent } = row;
  return { intent, hasNews };
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
