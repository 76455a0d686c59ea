/** An intent under its row lock: the only state from which anything about it may be written. */
import { type Journal } from '../domain/journal';
import { type Situation } from '../domain/step';
import { INTENT_COLUMNS, type IntentRow } from './intent-row';
import { type Loaded, loadJournal } from './load-journal';
import { type Queryable } from './pool';

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
  const { rows } = await tx.query<IntentRow>({
    name: 'lock-intent',
    text: `select ${INTENT_COLUMNS} from intents where id = $1 for no key update`,
    values: [intentId],
  });
  const [intent] = rows;
  if (intent === undefined) throw new Error(`intent ${intentId} is not in this database`);
  return { intent, ...(await loadJournal(tx, intent)) };
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
