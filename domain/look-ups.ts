/** When to ask the provider next: on the contract's schedule, or at a hint, until patience is spent (rules 2, 7). */
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
  const due = lastAsked < proof ? Math.min(scheduled, Math.max(proof, since)) : scheduled;
  return Math.min(due, hintedLookUp(journal, contract) ?? due);
}

/**
 * Rule 2: a notification that came after the last look-up was asked makes one due now, and says nothing
 * else. However many come, there is one look-up for each shortest pause of the schedule. Null where no
 * hint is left to follow.
 */
export function hintedLookUp(
  { observations }: Journal,
  { lookUp }: ProviderContract,
): number | null {
  if (lookUp === null) return null;
  const asked = observations.filter((one) => one.source === 'look_up').map((one) => one.askedAt);
  const lastAsked = asked.length === 0 ? Number.NEGATIVE_INFINITY : Math.max(...asked);
  const hint = observations.find(
    (one) => one.source === 'notification' && one.observedAt > lastAsked,
  );
  if (hint === undefined) return null;
  return Math.max(hint.observedAt, lastAsked + Math.min(...lookUp.scheduleMs));
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
  const due = lastAsked + lengthened(slowest, contract, lastAsked);
  return Math.min(due, hintedLookUp(journal, contract) ?? due);
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
