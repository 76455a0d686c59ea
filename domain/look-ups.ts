/** When to ask the provider next: on the contract's schedule, until patience is spent (rules 2, 7). */
import { DEFAULT_SCHEDULE_MS, type ProviderContract } from './contract';
import { type Attempt, type Journal } from './journal';
import { lengthened } from './spread';
import { proofTime } from './times';

/** An attempt in doubt and when its send was known to be over. */
export interface Doubt {
  readonly last: Attempt;
  readonly since: number;
}

/** On the schedule, and once right after the proof time, where an answer first counts as proof. */
export function dueLookUp(
  { last, since }: Doubt,
  journal: Journal,
  contract: ProviderContract,
): number {
  const asked = lookUpsSince(last, journal);
  const lastAsked = asked.at(-1) ?? since;
  const spaced = pause(scheduleOf(contract), asked.length);
  const scheduled = lastAsked + lengthened(spaced, contract, last.openedAt + asked.length);
  const proof = proofTime(last, contract) + 1;
  return lastAsked < proof ? Math.min(scheduled, Math.max(proof, since)) : scheduled;
}

/** In review: at the slowest step; null where nobody can be asked. */
export function slowestLookUp(
  last: Attempt,
  journal: Journal,
  contract: ProviderContract,
): number | null {
  if (contract.lookUp === null) return null;
  const slowest = contract.lookUp.scheduleMs.at(-1) ?? 0;
  const lastAsked = lookUpsSince(last, journal).at(-1) ?? last.openedAt;
  return lastAsked + lengthened(slowest, contract, lastAsked);
}

/** When the look-ups since an attempt was opened were asked, in order. */
export function lookUpsSince(last: Attempt, journal: Journal): readonly number[] {
  return journal.observations
    .filter((one) => one.source === 'look_up' && one.askedAt >= last.openedAt)
    .map((one) => one.askedAt)
    .sort((a, b) => a - b);
}

/** The pauses of a contract: between look-ups, and between repeats where there are none. */
export function scheduleOf(contract: ProviderContract): readonly number[] {
  return contract.lookUp?.scheduleMs ?? DEFAULT_SCHEDULE_MS;
}

/** The `index`-th pause; the last one repeats. */
export function pause(schedule: readonly number[], index: number): number {
  return schedule[Math.min(Math.max(index, 0), schedule.length - 1)] ?? 0;
}
