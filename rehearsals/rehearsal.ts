/** What a rehearsal is: one page of the runbook, made to happen on real processes. */
import { type Stage } from './stage';

/** How long a rehearsal waits for what the page promises: the auditor may need a minute. */
export const PATIENCE_MS = 90_000;

/** One trouble, and what the page says about it. */
export interface Rehearsal {
  /** Also the anchor of its section in docs/runbook.md. */
  readonly name: string;
  /** It stops or rewrites what others stand on: it gets a stack of its own. */
  readonly isAlone?: boolean;
  /** Makes the trouble, does what the page says; throws where something is not as the page says. */
  readonly perform: (stage: Stage) => Promise<void>;
}
