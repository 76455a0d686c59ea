/**
 * Which decisions an operator may make at this moment, and what a refused one is told (rule 10). The
 * same answer serves the form that offers them and the transaction that records one.
 */
import { assess } from './assess';
import { type DecisionKind } from './journal';
import { standing } from './standing';
import { isFinal } from './status';
import { type Situation } from './step';

export { type DecisionKind } from './journal';

/** What an operator asks to record. */
export interface DecisionRequest {
  readonly decision: DecisionKind;
  /** Two persons stand for it; see {@link decisionRefusal}. */
  readonly override: boolean;
}

/** Why a decision is not recorded. `detail`: one sentence that names the next legal step. */
export interface DecisionRefusal {
  readonly code: 'too-late' | 'decision-not-legal';
  readonly detail: string;
}

const ALL: readonly DecisionKind[] = ['applied', 'not_applied', 'retry'];

/** What may be decided now, for a form to offer. */
export function legalDecisions(situation: Situation): readonly DecisionKind[] {
  return ALL.filter(
    (decision) => decisionRefusal({ decision, override: false }, situation) === null,
  );
}

/** Null if the decision may be recorded now; run under the intent's row lock before it is. */
export function decisionRefusal(
  { decision, override }: DecisionRequest,
  situation: Situation,
): DecisionRefusal | null {
  const { journal, contract, now } = situation;
  const { status } = standing(situation);
  if (isFinal(status) || isFinal(journal.status)) {
    return { code: 'too-late', detail: 'The intent has ended; a final outcome is never changed.' };
  }
  if (status !== 'unknown' && status !== 'in_review') {
    return refused(`The intent is ${status}: there is nothing to decide; wait, or cancel it.`);
  }
  if (decision !== 'retry') return null;
  if (override) return refused('No override permits a send; decide not_applied instead.');
  return assess(journal, contract, now).kind === 'conflict'
    ? refused('The evidence contradicts itself; decide applied or not_applied instead of retry.')
    : null;
}

function refused(detail: string): DecisionRefusal {
  return { code: 'decision-not-legal', detail };
}
