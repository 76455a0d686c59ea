/**
 * The times that decide what an answer can prove (the "Terms" of the decision rules). All are
 * milliseconds since the epoch on the database's clock.
 */
import { FENCE_GUARD_MS, type ProviderContract } from './contract';
import { type Attempt } from './journal';
import { type Situation } from './step';

/** Budget, what our process may be late, and how long a request may still be on its way. */
function flightMs(contract: Pick<ProviderContract, 'send'>): number {
  return contract.send.budgetMs + FENCE_GUARD_MS + contract.send.horizonMs;
}

/** Rule 4: whether a repeat under the key could ever be permitted after a first send. */
export function leavesRoomToRepeat({ key, ...contract }: ProviderContract): boolean {
  if (key === null || key.windowMs === 'unpublished') return false;
  return key.windowMs === 'forever' || key.windowMs > flightMs(contract);
}

/** After it nothing of that send can land. */
export function quietTime(attempt: Attempt, contract: ProviderContract): number {
  return attempt.openedAt + flightMs(contract);
}

/** After it a look-up that misses the effect proves that this send had none. */
export function proofTime(attempt: Attempt, contract: ProviderContract): number {
  return attempt.openedAt + provenAfterMs(contract);
}

/** How long after an attempt was opened its proof time is. */
export function provenAfterMs(contract: ProviderContract): number {
  return flightMs(contract) + (contract.lookUp?.lagMs ?? 0);
}

/** End of patience with an attempt: from then on a person is asked (rule 7). */
export function patienceEnds(attempt: Attempt, contract: ProviderContract): number {
  return attempt.openedAt + contract.patienceMs;
}

/** Rules 1 and 6: from then on no attempt to apply is opened; never where the policy sets no deadline. */
export function deadlineOf({ journal, policy }: Pick<Situation, 'journal' | 'policy'>): number {
  const { deadlineMs = null } = policy;
  return deadlineMs === null ? Number.MAX_SAFE_INTEGER : journal.createdAt + deadlineMs;
}

/**
 * The last moment at which a repeat under a key may be permitted, so that even its latest byte lands
 * inside the provider's window (rule 4); null where no repeat is ever allowed.
 */
export function lastRepeatAt(firstSend: Attempt, contract: ProviderContract): number | null {
  const window = contract.key?.windowMs ?? 'unpublished';
  if (window === 'unpublished') return null;
  if (window === 'forever') return Number.MAX_SAFE_INTEGER;
  return firstSend.openedAt + window - flightMs(contract) - 1;
}

/**
 * The last sentence of rule 6: a new attempt under an old key lies wholly inside the window, or starts
 * when the provider has surely forgotten the key; in between, one copy of it could meet the saved
 * answer and another none. The moment until which to wait; `now` itself where there is no such edge.
 */
export function afterWindowEdge(
  firstSend: Attempt,
  contract: ProviderContract,
  now: number,
): number {
  const window = contract.key?.windowMs;
  const last = lastRepeatAt(firstSend, contract);
  if (typeof window !== 'number' || last === null || now <= last) return now;
  return Math.max(now, firstSend.openedAt + flightMs(contract) + window);
}
