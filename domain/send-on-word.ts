/**
 * Whether an attempt may follow on an operator's word (rule 10): a person may not make a send legal
 * that rules 3 to 6 forbid. Where the provider keeps keys it goes under the old one and inside its
 * window, so that even a wrong word gives one effect; where a look-up sees, that must have spoken. Only
 * where the contract has neither does the word alone permit a send.
 */
import { isFrozen } from './assess';
import { type JudgedAttempt } from './closed-attempts';
import { isRequest } from './decided';
import { type Situation } from './step';
import { lastRepeatAt } from './times';

/** When the decision was made, and when the attempt would be opened. */
export interface Word {
  readonly askedAt: number;
  readonly sendAt: number;
}

/** Why no attempt may follow, as a clause; null where one may. */
export function forbidsSend(
  judged: readonly JudgedAttempt[],
  word: Word,
  { journal, contract, now }: Situation,
): string | null {
  if (journal.observations.some((one) => one.finding.kind === 'pending')) {
    return 'the provider has had it pending, so that a second request could be a second effect';
  }
  const sees = isRequest(word, { journal, contract, now });
  const provable = sees && (contract.lookUp?.absenceIsProof ?? false);
  if (contract.key === null) {
    return contract.lookUp === null || sees
      ? null
      : 'the look-up no longer sees so far back, so that nothing can show whether it exists';
  }
  const isFrozenNow = judged.some(
    ({ attempt, proof }) => proof !== 'not_sent' && isFrozen(attempt, journal.observations),
  );
  if (isFrozenNow) {
    return provable ? null : 'the provider may have saved an error under the key';
  }
  if (contract.key.windowMs === 'unpublished' && provable) return null;
  return isInsideWindow(judged, word.sendAt, contract)
    ? null
    : "the provider's key no longer protects against a second effect";
}

function isInsideWindow(
  judged: readonly JudgedAttempt[],
  sendAt: number,
  contract: Situation['contract'],
): boolean {
  const generation = judged.at(-1)?.attempt.generation;
  const first = judged.find(
    (one) => one.proof !== 'not_sent' && one.attempt.generation === generation,
  )?.attempt;
  if (first === undefined) return true;
  const last = lastRepeatAt(first, contract);
  return last !== null && sendAt <= last;
}
