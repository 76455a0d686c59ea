/**
 * The statuses of an intent and the one table of legal moves between them (INV-6: a final state is
 * never left). The SQL function `intent_may_move` holds the same table; a test compares the two.
 */

/**
 * - `accepted`: recorded; nothing that was sent can have taken effect
 * - `executing`: an attempt is open, inside its send budget
 * - `pending`: the provider has it, its answer comes later
 * - `unknown`: it may have happened; the engine is finding out
 * - `in_review`: evidence cannot decide, a person must
 * - `succeeded`: proven applied
 * - `failed`: proven not applied: rejected, or absent and given up
 * - `canceled`: never sent, proven absent after a cancel, or reverted with proof
 */
export const STATUSES = [
  'accepted',
  'executing',
  'pending',
  'unknown',
  'in_review',
  'succeeded',
  'failed',
  'canceled',
] as const;

/** Where an intent stands; see {@link STATUSES}. */
export type Status = (typeof STATUSES)[number];

/** The proven end of an intent. */
export type Outcome = Extract<Status, 'succeeded' | 'failed' | 'canceled'>;

/** Every legal move to *another* status; staying where one is is always legal. */
const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  accepted: ['executing', 'in_review', 'failed', 'canceled'],
  executing: ['accepted', 'pending', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled'],
  pending: ['executing', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled'],
  unknown: ['accepted', 'executing', 'pending', 'in_review', 'succeeded', 'failed', 'canceled'],
  in_review: ['accepted', 'executing', 'pending', 'unknown', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** True where the outcome is proven and nothing may change it any more. */
export function isFinal(status: Status): status is Outcome {
  return TRANSITIONS[status].length === 0;
}

/** True where a waiting caller is answered: nothing more will happen without a person or ever. */
export function endsTheWait(status: Status): boolean {
  return isFinal(status) || status === 'in_review';
}

/** True if an intent may go from one status to the other; to stay is always legal. */
export function mayMove(from: Status, to: Status): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}
