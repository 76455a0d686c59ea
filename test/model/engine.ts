/**
 * The engine under test: the real decision rules, and what the store does around them. Wrong rules
 * are planted by wrapping `standing` or by one of the store's switches; nothing is copied.
 */
import { standing, type Standing } from '../../domain/standing';
import { type Situation } from '../../domain/step';

export interface Engine {
  /** Belief, step and status; the real one is `domain/standing.ts`. */
  readonly standing: (situation: Situation) => Standing;
  /** `store/open-attempt.ts` derives the step again under the row lock. */
  readonly permitUnderLock: boolean;
  /** A permit supersedes the open attempt of its effect in the same transaction (INV-3). */
  readonly supersedes: boolean;
  /** A run that comes back sends an attempt again that is already open. */
  readonly resendsOpen: boolean;
  /** A decision is recorded only if `domain/decision.ts` does not refuse it. */
  readonly refuses: boolean;
}

/** The engine as it is. */
export const REAL: Engine = {
  standing,
  permitUnderLock: true,
  supersedes: true,
  resendsOpen: false,
  refuses: true,
};
