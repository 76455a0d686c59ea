/** What one run knows and was told; lost with the run, since everything that counts is in PostgreSQL. */
import { standing, type Standing } from '../domain/standing';
import { type Situation } from '../domain/step';
import { databaseTime, type KnownJournal, unknownYet } from './known-journal';
import { type SettleInput } from './settle-input';

/** The state of a run. */
export interface Run {
  last: KnownJournal;
  /** The journal has grown: look again. */
  grew: boolean;
  /** An operator asked for a look-up. */
  askNow: boolean;
  /** Somebody read the intent, and its provider may be asked for that. */
  wasRead: boolean;
  /** Decisions refused here: the template offers an id that was not used up. */
  refused: number;
  /** Requests of operators that are being recorded outside of a handler. */
  recording: number;
}

/** A run that knows nothing yet. */
export function newRun(): Run {
  return {
    last: unknownYet(),
    grew: false,
    askNow: false,
    wasRead: false,
    refused: 0,
    recording: 0,
  };
}

/** What decisions are made from, now. */
export function situationOf({ contract, policy }: SettleInput, { last }: Run): Situation {
  return { journal: last.journal, contract, policy, now: databaseTime(last) };
}

/** Where the intent stands as far as this run knows. */
export function standingOf(input: SettleInput, run: Run): Standing {
  return standing(situationOf(input, run));
}
