/**
 * What a provider tells of its own accord after an intent has ended. Where it can be asked that is a hint
 * (rule 2): one that does not fit the outcome is a reason to ask, and the answer is the evidence.
 */
import { type ProviderContract } from './contract';
import { type Finding, type Journal, type Observation } from './journal';
import { type Outcome } from './status';

/** What may be told of an intent that ended so, in any order and late. */
const FITS: Readonly<Record<Outcome, readonly Finding['kind'][]>> = {
  succeeded: ['applied', 'pending'],
  failed: ['rejected'],
  canceled: ['rejected', 'reverted'],
};

/** True while a notification speaks against the outcome and the provider has not answered since. */
export function isToldOtherwise(
  outcome: Outcome,
  journal: Journal,
  { lookUp }: ProviderContract,
): boolean {
  if (lookUp === null) return false;
  return journal.observations.some(
    (one) => speaksAgainst(outcome, one, journal) && !wasAskedSince(one, journal),
  );
}

function speaksAgainst(outcome: Outcome, one: Observation, { isGivenBack }: Journal): boolean {
  const { source, effect, finding } = one;
  if (source !== 'notification' || FITS[outcome].includes(finding.kind)) return false;
  // That an undoing was refused, or a refund of ours took it back, is no news.
  if (effect === 'revert' && finding.kind === 'rejected') return false;
  return !(finding.kind === 'reverted' && isGivenBack === true);
}

function wasAskedSince({ askedAt }: Observation, { observations }: Journal): boolean {
  return observations.some(
    (one) => one.source === 'look_up' && one.askedAt >= askedAt && one.finding.kind !== 'unknown',
  );
}
