/**
 * Whoever reads an intent in doubt wants to know, and may have the provider asked out of turn where the
 * contract calls that cheap. It is a question like any other: it proves what it proves, ends nothing by
 * itself and sends nothing.
 */
import { type Standing } from './standing';
import { type Status } from './status';
import { type Situation } from './step';

/** Statuses in which an answer may change something that the reader sees. */
export function isInDoubt(status: Status): boolean {
  return status === 'unknown' || status === 'in_review';
}

/**
 * At most once in the contract's time, whatever asked last, and not while the provider is down for
 * everybody: readers would only multiply the questions that it cannot answer.
 */
export function mayAskForReader(
  { journal, contract, now }: Situation,
  { status, step }: Standing,
): boolean {
  const pause = contract.lookUp?.onReadMs;
  if (pause === undefined || journal.hold !== undefined || !isInDoubt(status)) return false;
  if (step.kind === 'review' && step.lookUpAt === null) return false;
  const asked = journal.observations.filter((one) => one.source === 'look_up');
  return asked.every((one) => now - one.askedAt >= pause);
}
