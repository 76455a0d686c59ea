/**
 * The journal with the moment at which this run learned it. The workflow's clock is the Temporal
 * server's, decisions are made on the database's: the difference is taken from the journal itself.
 */
import { emptyJournal, type Journal } from '../domain/journal';

/** A journal and when it arrived, on the workflow's clock in milliseconds. */
export interface KnownJournal {
  readonly journal: Journal;
  readonly receivedAt: number;
  /** False while the run has read nothing: then it must say nothing of the journal. */
  readonly isRead: boolean;
}

/** A journal that an activity just returned. */
export function known(journal: Journal): KnownJournal {
  return { journal, receivedAt: Date.now(), isRead: true };
}

/** Nothing was read yet: the first `send` reads, under the lock. */
export function unknownYet(): KnownJournal {
  return { ...known(emptyJournal(Date.now())), isRead: false };
}

/** The database's present time as far as this run can tell, in milliseconds; never ahead of it. */
export function databaseTime({ journal, receivedAt }: KnownJournal): number {
  return journal.readAt + (Date.now() - receivedAt);
}
