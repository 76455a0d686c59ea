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
import { type Loaded, loadedLittle, type LoadedRow, loadJournal, loadLittle } from './load-journal';
import { type Brought, inOneTrip, type Statement } from './one-trip';
import { type Pool, type Queryable } from './pool';
import { inTransactionFrom, type Transaction } from './transaction';
import { writeStanding } from './write-standing';

/** The row and the journal, both read after the lock was granted. */
export interface LockedIntent {
  readonly intent: IntentRow;
  readonly journal: Journal;
}

/** The same, with the state of its provider's circuit; null where nothing failed lately. */
export type Locked = LockedIntent & Pick<Loaded, 'circuit'>;

/**
 * Runs `work` in a transaction that begins with the intent's lock. Throws IntentMissingError. BEGIN, lock
 * and journal travel together: the journal is read after the lock was granted, with a snapshot of its own.
 */
export function inLocked<Result>(
  pool: Pool,
  intentId: string,
  work: (tx: Transaction, locked: Locked) => Promise<Result>,
): Promise<Result> {
  return inTransactionFrom(pool, lockAndLoad(intentId), async (tx, brought) => {
    const locked = await lockedFrom(tx, brought as LockAndLoad);
    if (locked === null) throw new IntentMissingError(intentId);
    return work(tx, locked);
  });
}

/** A run is there and its intent is not: the database was put back to an earlier time, or exchanged. */
export class IntentMissingError extends Error {
  override readonly name = 'IntentMissingError';

  constructor(intentId: string) {
    super(`intent ${intentId} is not in this database`);
  }
}

/** Locks one intent until the open transaction ends; null where there is no such intent. */
export async function findLocked(tx: Transaction, intentId: string): Promise<Locked | null> {
  return lockedFrom(tx, await inOneTrip<LockAndLoad>(tx, lockAndLoad(intentId)));
}

interface LockedRow extends IntentRow {
  /** Notifications wait that name it. */
  readonly hasNews: boolean;
}

type LockAndLoad = readonly [Brought<LockedRow>, Brought<LoadedRow>];

function lockAndLoad(intentId: string): readonly Statement[] {
  const lock = {
    name: 'lock-intent',
    text: `select ${INTENT_COLUMNS}, exists (
        select from provider_notifications
        where about = intents.id and matched_at is null and said is not null) as "hasNews"
      from intents where id = $1 for no key update`,
    values: [intentId],
  };
  return [lock, loadLittle(intentId)];
}

async function lockedFrom(tx: Transaction, [row, loaded]: LockAndLoad): Promise<Locked | null> {
  const [found] = row.rows;
  if (found === undefined) return null;
  const { hasNews, ...intent } = found;
  const before = loadedLittle(intent, loaded.rows) ?? (await loadJournal(tx, intent));
  if (!hasNews || !(await hearNotifications(tx, intent))) return { intent, ...before };
  const { journal, circuit } = await loadJournal(tx, intent);
  await writeStanding(tx, { intent, journal }, standing(situationOf(intent, journal)));
  const moved = await readRow(tx, intent.id);
  return { intent: moved, journal: { ...journal, status: moved.status }, circuit };
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
