/**
 * Records an intent that draws on another one (a refund on its charge). The statement is that of any
 * intent; the trigger `guard_draw` locks the row that is drawn on, checks, and refuses by name. So the
 * check and the claim are one transaction, and draws on one intent come one after the other.
 *
 * Race: two refunds together exceed the charge. The first to get the charge's row lock is recorded; the
 * other waits, then counts it and is refused. Race: twins. The loser may be refused for what its own
 * winner has taken; it finds the winner and answers like any repeat.
 */
import { type Queryable, refusal } from './pool';
import {
  type DrawnIntent,
  holderOf,
  type NewIntent,
  type Recorded,
  recordIntent,
} from './record-intent';

/** A validated request that draws on an intent. */
export interface NewDraw extends NewIntent {
  readonly drawsOn: DrawnIntent;
}

/**
 * Nothing was written:
 * - `exceeds`: more than the `rest` (minor units) that is left, pending and unknown draws counted
 * - `not_drawable`: it has not succeeded, or no longer can be relied on
 */
export type DrawRefused =
  { readonly kind: 'exceeds'; readonly rest: number } | { readonly kind: 'not_drawable' };

/** Claims the identity, returns its holder, or says why not. Throws when the store cannot be used. */
export async function recordDraw(db: Queryable, draw: NewDraw): Promise<Recorded | DrawRefused> {
  try {
    return await recordIntent(db, draw);
  } catch (error) {
    const refused = drawRefusal(error);
    if (refused === null) throw error;
    return (await holderOf(db, draw)) ?? refused;
  }
}

function drawRefusal(error: unknown): DrawRefused | null {
  const refused = refusal(error);
  if (refused?.constraint === 'draws_never_exceed') {
    return { kind: 'exceeds', rest: Number(refused.detail) };
  }
  return refused?.constraint === 'drawn_on_has_succeeded' ? { kind: 'not_drawable' } : null;
}
