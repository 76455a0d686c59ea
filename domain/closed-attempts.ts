/**
 * Which attempts are proven to have had no effect, and by what (rules 3 and 6). Everything is
 * derived from observations; a stored verdict is only their copy. `superseded` in particular proves
 * nothing about an attempt.
 */
import { type ProviderContract } from './contract';
import { type Attempt, type Effect, type Finding, type Journal, type Observation } from './journal';
import { lastRepeatAt, proofTime, quietTime } from './times';

/** Proof that an attempt had no effect. `decided`: an operator's word that has taken effect (rule 10). */
export type NoEffect = 'rejected' | 'not_sent' | 'absent' | 'decided';

/** An attempt with what is proven of it; null while it may have had, or may still have, an effect. */
export interface JudgedAttempt {
  readonly attempt: Attempt;
  readonly proof: NoEffect | null;
}

/** The attempts of one effect in order, each with the proof against it, if any. */
export function judgeAttempts(
  journal: Journal,
  effect: Effect,
  contract: ProviderContract,
): readonly JudgedAttempt[] {
  const attempts = journal.attempts.filter((attempt) => attempt.effect === effect);
  const seen = journal.observations.filter(
    (observation) => observation.effect === effect && isEvidence(observation, contract),
  );
  return attempts.map((attempt) => ({
    attempt,
    proof: proofAgainst(attempt, { attempts, seen, contract }),
  }));
}

/** Rule 2: where a look-up exists, a notification is only a hint: it neither proves nor unproves. */
export function isEvidence({ source }: Observation, contract: ProviderContract): boolean {
  return source !== 'notification' || contract.lookUp === null;
}

interface Evidence {
  readonly attempts: readonly Attempt[];
  readonly seen: readonly Observation[];
  readonly contract: ProviderContract;
}

function proofAgainst(attempt: Attempt, evidence: Evidence): NoEffect | null {
  const own = ownAnswer(attempt, evidence.seen)?.finding;
  if (own !== undefined && provesNotSent(own, evidence.contract)) return 'not_sent';
  if (evidence.attempts.some((other) => rejectionCloses(other, attempt, evidence))) {
    return 'rejected';
  }
  if (evidence.seen.some((seen) => isListedDecline(seen, attempt, evidence))) return 'rejected';
  if (evidence.seen.some((seen) => isProofOfAbsence(seen, attempt, evidence))) return 'absent';
  return null;
}

/** What the provider answered to this very request. */
export function ownAnswer(attempt: Attempt, seen: readonly Observation[]): Observation | undefined {
  return seen.find(
    (one) =>
      one.source === 'response' && one.effect === attempt.effect && one.attempt === attempt.number,
  );
}

/**
 * Rule 3: a miss counts only if the contract says absence is proof, if it was asked after the proof
 * time of every attempt it covers, and answered while the look-up still sees the first of them.
 * A provider that once showed the effect as pending has not forgotten it by not showing it.
 */
function isProofOfAbsence(miss: Observation, attempt: Attempt, evidence: Evidence): boolean {
  const { contract, attempts, seen } = evidence;
  if (miss.source !== 'look_up' || miss.finding.kind !== 'absent') return false;
  if (attempt.openedAt > miss.askedAt) return false;
  const covered = attempts.filter((one) => one.openedAt <= miss.askedAt);
  const allQuiet = covered.every((one) => miss.askedAt > proofTime(one, contract));
  const first = covered[0];
  const stillSeen = first !== undefined && wouldShow(miss, first, contract);
  const wasPending = seen.some(
    (one) => one.finding.kind === 'pending' && one.askedAt <= miss.askedAt,
  );
  return allQuiet && stillSeen && !wasPending;
}

/**
 * Rule 3: whether a look-up would have shown an effect of the first send, and so of every later one.
 * How far back it sees is counted from when the provider answered; all that is known of that moment is
 * that it came before the answer was recorded.
 */
export function wouldShow(
  { observedAt }: Observation,
  first: Attempt,
  { lookUp }: ProviderContract,
): boolean {
  if (!lookUp?.absenceIsProof) return false;
  return lookUp.seesBackMs === 'forever' || observedAt <= first.openedAt + lookUp.seesBackMs;
}

/** Rule 6: a decline that the provider lists closes an attempt only if it can be told which. */
function isListedDecline(listed: Observation, attempt: Attempt, evidence: Evidence): boolean {
  if (listed.source === 'response' || listed.finding.kind !== 'rejected') return false;
  const candidates = evidence.attempts.filter((one) => {
    const own = ownAnswer(one, evidence.seen)?.finding;
    return own === undefined || !provesNotSent(own, evidence.contract);
  });
  const only = candidates.length === 1 && candidates[0]?.number === attempt.number;
  return only && !evidence.contract.send.mayRepeat;
}

/**
 * Rule 6: a rejection closes its own request. It closes another attempt only if it is saved under the
 * key and all were opened inside its window, or if all others were past their quiet time when the
 * rejected one was opened. Where something on the way may repeat a request and nothing saves the
 * rejection, a second copy may still be accepted: it closes nothing, a look-up must.
 */
function rejectionCloses(rejected: Attempt, attempt: Attempt, evidence: Evidence): boolean {
  const { attempts, contract, seen } = evidence;
  const finding = ownAnswer(rejected, seen)?.finding;
  if (finding === undefined || !isLastWord(finding, contract)) return false;
  if (rejected.number === attempt.number) return true;
  return (
    (isSaved(finding, contract) && isInOneWindow(rejected, attempts, contract)) ||
    othersWereQuiet(rejected, attempts, contract)
  );
}

/** A rejection after which no second copy of its request can be accepted. */
export function isLastWord(finding: Finding, contract: ProviderContract): boolean {
  return finding.kind === 'rejected' && (!contract.send.mayRepeat || isSaved(finding, contract));
}

/**
 * A decline is an outcome of the execution, and saved as one. Any other refusal came before it, for a
 * reason that may pass (an account that is closed for an hour): the same bytes may be taken later.
 */
function isSaved(finding: Finding, { key }: ProviderContract): boolean {
  return finding.kind === 'rejected' && finding.declined && (key?.savesRejections ?? false);
}

/** A refusal in an answer is about one copy; where something repeats requests another may be taken. */
export function provesNotSent(finding: Finding, { send }: ProviderContract): boolean {
  return finding.kind === 'not_sent' && !(finding.answered === true && send.mayRepeat);
}

function isInOneWindow(
  rejected: Attempt,
  attempts: readonly Attempt[],
  contract: ProviderContract,
): boolean {
  const first = attempts[0];
  if (first === undefined) return false;
  const last = lastRepeatAt(first, contract);
  const oneKey = attempts.every((one) => one.generation === rejected.generation);
  return oneKey && last !== null && attempts.every((one) => one.openedAt <= last);
}

function othersWereQuiet(
  rejected: Attempt,
  attempts: readonly Attempt[],
  contract: ProviderContract,
): boolean {
  return attempts.every(
    (one) => one.number === rejected.number || quietTime(one, contract) < rejected.openedAt,
  );
}
