/**
 * What a provider's notification says of an effect, and what that is worth beside the intent: another
 * amount or currency than was asked for is a contradiction (rule 9), whatever else it says.
 */
import { type Finding } from './journal';

/** A finding that a provider may tell of its own accord. */
export type ToldFinding = Extract<
  Finding,
  { kind: 'applied' | 'rejected' | 'pending' | 'reverted' }
>;

/** Amounts are minor units, currencies ISO 4217. */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** The words of a notification about one effect. */
export interface Told extends Money {
  readonly finding: ToldFinding;
}

/** What was asked for; both null where the effect is not about money. */
interface Intended {
  readonly amount: number | null;
  readonly currency: string | null;
}

/** The finding that counts for an intent of this much. */
export function findingFor(told: Told, intended: Intended): Finding {
  const difference =
    told.amount !== intended.amount
      ? `amount is ${told.amount}, expected ${intended.amount ?? 'none'}`
      : told.currency !== intended.currency
        ? `currency is ${told.currency}, expected ${intended.currency ?? 'none'}`
        : null;
  return difference === null ? told.finding : { kind: 'conflict', what: difference };
}
