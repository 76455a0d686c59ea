/**
 * Whether an effect in a provider's listing fits what we know of its intent. A listing is shown by time,
 * lags in its own way and has no proof time, so it is never evidence: what does not fit is a reason to
 * ask about that one effect, and the answer to that counts.
 */
import { type Status } from './status';
import { findingFor, type Told } from './told-effect';

/** What is known of the intent that its reference names. */
export interface KnownIntent {
  readonly status: Status;
  /** Minor units; null where it moves no money. */
  readonly amount: number | null;
  /** ISO 4217. */
  readonly currency: string | null;
  /** The provider's own id of the one effect, once it is proven. */
  readonly providerId: string | null;
  /** Attempts to apply that were ever opened. */
  readonly attempts: number;
  /** A contradiction is already in front of a person. */
  readonly hasDiscrepancy: boolean;
}

/** Why it does not fit, in one clause; null where it does, or where a person has it already. */
export function misfitOf(told: Told, intent: KnownIntent): string | null {
  if (intent.hasDiscrepancy || intent.status === 'in_review') return null;
  const { finding } = told;
  if (finding.kind === 'rejected') return null;
  if (finding.kind === 'reverted') {
    return intent.status === 'succeeded' ? 'it was undone, the intent succeeded' : null;
  }
  if (intent.attempts === 0) return 'nothing was ever sent for it';
  if (intent.status === 'failed' || intent.status === 'canceled') {
    return `it is live, the intent is ${intent.status}`;
  }
  if (intent.providerId !== null && intent.providerId !== finding.providerId) {
    return 'it is another effect than the known one';
  }
  const counted = findingFor(told, intent);
  return counted.kind === 'conflict' ? counted.what : null;
}
