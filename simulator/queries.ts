// What a look-up may see: the truth, once it is old enough and while it is not too old.

import { type ProviderContract } from './contract';
import { type Ledger } from './ledger';
import { type Effect } from './records';

/** A question: charges or refunds by our reference, or one charge by the provider's id. */
export interface Query {
  readonly about: 'charges' | 'refunds' | 'charge';
  readonly name: string;
}

/** Everything the question is about, visible or not, declined ones included, oldest first. */
export function subjectsOf(
  ledger: Ledger,
  contract: ProviderContract,
  query: Query,
): readonly Effect[] {
  if (query.about !== 'charge') {
    return ledger.named(contract.name, query.about === 'charges' ? 'charge' : 'refund', query.name);
  }
  const charge = ledger.find(contract.name, query.name);
  return charge?.kind === 'charge' ? [charge] : [];
}

/** Whether a look-up by reference shows the effect at `nowMs`. */
export function isVisible(effect: Effect, contract: ProviderContract, nowMs: number): boolean {
  const seesBackMs = contract.lookUp?.seesBackMs ?? null;
  const tooOld = seesBackMs !== null && effect.createdAtMs + seesBackMs < nowMs;
  return effect.visibleAtMs <= nowMs && !tooOld;
}

/** The effect as the index has it: a void that is not yet visible is not in there. */
export function asIndexed(effect: Effect, nowMs: number): Effect {
  const { voided } = effect;
  return voided !== null && nowMs < voided.visibleAtMs
    ? { ...effect, status: voided.from }
    : effect;
}
