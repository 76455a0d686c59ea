/** Why an intent waits for operators, and what people call that. */

/**
 * The first that applies, in this order.
 * - `proposal`: a decision waits for a second person
 * - `review`: a person must decide
 * - `discrepancy`: evidence contradicts a final state, and nobody has closed it
 * - `held_back`: Temporal holds a completed run under its id, so that nothing starts: it was restored
 * - `overdue`: its next step was due a minute ago, and nobody took it: its run is broken, closed, or
 *   nobody works
 * - `unsent`: recorded longer ago than its contract's patience, and still nothing could be sent: the
 *   provider is down or turns it away, or no worker may send it
 * - `cancel`: a cancel was accepted and is not resolved
 * - `unknown`: the engine is finding out
 */
export const CONCERNS = [
  'proposal',
  'review',
  'discrepancy',
  'held_back',
  'overdue',
  'unsent',
  'cancel',
  'unknown',
] as const;
export type Concern = (typeof CONCERNS)[number];

/** The name on `/desk`, on the command line and in docs/desk.md. */
export const CONCERN_NAMES: Readonly<Record<Concern, string>> = {
  proposal: 'To approve',
  review: 'To decide',
  discrepancy: 'Discrepancy',
  held_back: 'Held back',
  overdue: 'Overdue',
  unsent: 'Not sent',
  cancel: 'Canceling',
  unknown: 'Unknown',
};
