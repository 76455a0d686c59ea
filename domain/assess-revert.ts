/**
 * What is believed of undoing an applied effect: an effect of its own, with attempts, unknown and
 * look-ups (rule 8). The look-up is the one of the effect: it shows it live, or reverted.
 */
import { isEvidence, isLastWord, ownAnswer, provesNotSent } from './closed-attempts';
import { type ProviderContract } from './contract';
import { type Attempt, type Journal, type Observation } from './journal';
import { proofTime } from './times';

/**
 * - `none`: nothing was sent, or every attempt is proven to have undone nothing
 * - `in_flight`: an attempt is open and its send is not over
 * - `doubt`: an attempt may have undone the effect
 * - `done`: the provider says that it is undone
 * - `refused`: the provider will not undo it, and nothing of ours can still land
 */
export type RevertBelief =
  | { readonly kind: 'none'; readonly attempts: readonly Attempt[] }
  | { readonly kind: 'in_flight'; readonly until: number }
  | { readonly kind: 'doubt'; readonly last: Attempt; readonly since: number }
  | { readonly kind: 'done'; readonly last: Attempt; readonly since: number }
  | { readonly kind: 'refused'; readonly code: string };

/** A proven verdict on one attempt to undo. */
export type RevertVerdict = 'applied' | 'rejected' | 'not_sent' | 'absent';

/** What is proven of each attempt to undo; null while it may have, or may still, undo the effect. */
export function judgeReverts(
  journal: Journal,
  contract: ProviderContract,
): readonly { readonly attempt: Attempt; readonly verdict: RevertVerdict | null }[] {
  const attempts = journal.attempts.filter((one) => one.effect === 'revert');
  const seen = evidenceOf(journal, contract);
  const isDone = firstDone(seen, attempts) !== undefined;
  const open = attempts.filter((one) => whyWithoutEffect(one, seen, contract) === null);
  return attempts.map((attempt) => ({
    attempt,
    verdict:
      isDone && attempt === open.at(-1) ? 'applied' : whyWithoutEffect(attempt, seen, contract),
  }));
}

/** Judges the undoing. `now` is the database's clock in milliseconds. */
export function assessRevert(
  journal: Journal,
  contract: ProviderContract,
  now: number,
): RevertBelief {
  const attempts = journal.attempts.filter((one) => one.effect === 'revert');
  const last = attempts.at(-1);
  if (last === undefined) return { kind: 'none', attempts };
  const seen = evidenceOf(journal, contract);
  const done = firstDone(seen, attempts);
  if (done !== undefined) return { kind: 'done', last, since: done.observedAt };
  const open = attempts.filter((one) => whyWithoutEffect(one, seen, contract) === null);
  const unresolved = open.at(-1);
  if (unresolved === undefined) return closed(attempts, seen);
  const answer = ownAnswer(unresolved, seen);
  if (answer === undefined && now < unresolved.sendDeadline) {
    return { kind: 'in_flight', until: unresolved.sendDeadline };
  }
  const since = answer?.observedAt ?? unresolved.sendDeadline;
  return { kind: 'doubt', last: unresolved, since };
}

/** What counts: a notification only where nobody can be asked (rule 2). */
function evidenceOf(journal: Journal, contract: ProviderContract): readonly Observation[] {
  return journal.observations.filter((one) => isEvidence(one, contract));
}

/** Its own answer says so, or a look-up asked after an attempt was opened shows it. */
function firstDone(
  seen: readonly Observation[],
  attempts: readonly Attempt[],
): Observation | undefined {
  const opened = attempts[0]?.openedAt ?? Number.MAX_SAFE_INTEGER;
  return seen.find((one) => one.finding.kind === 'reverted' && one.askedAt >= opened);
}

/**
 * Not sent, refused, or shown live by a look-up that would have seen the undoing. A refusal proves
 * nothing where a second copy of the request may still be accepted: there the look-up must.
 */
function whyWithoutEffect(
  attempt: Attempt,
  seen: readonly Observation[],
  contract: ProviderContract,
): Exclude<RevertVerdict, 'applied'> | null {
  const own = ownAnswer(attempt, seen)?.finding;
  if (own !== undefined && provesNotSent(own, contract)) return 'not_sent';
  if (own !== undefined && isLastWord(own, contract)) return 'rejected';
  const shownLive = seen.some(
    (one) =>
      one.source === 'look_up' &&
      one.finding.kind === 'applied' &&
      one.askedAt > proofTime(attempt, contract),
  );
  return shownLive ? 'absent' : null;
}

/** A refusal ends it; anything else allows another attempt. */
function closed(attempts: readonly Attempt[], seen: readonly Observation[]): RevertBelief {
  const refusal = seen.find(
    (one) => one.effect === 'revert' && one.finding.kind === 'rejected',
  )?.finding;
  return refusal?.kind === 'rejected'
    ? { kind: 'refused', code: refusal.code }
    : { kind: 'none', attempts };
}
