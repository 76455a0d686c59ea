/**
 * Which decisions an operator may make at this moment, and what a refused one is told (rule 10). The
 * same answer serves the form that offers them and the transaction that records one.
 */
import { type Belief } from './assess';
import { wordsFor } from './contradictions';
import { countsFrom, lastDecision } from './decided';
import { type DecisionKind } from './journal';
import { forbidsSend } from './send-on-word';
import { standing, type Standing } from './standing';
import { isFinal, type Status } from './status';
import { type Situation } from './step';
import { deadlineOf } from './times';

export { type DecisionKind } from './journal';

/** What an operator asks to record. */
export interface DecisionRequest {
  readonly decision: DecisionKind;
  /** Two persons stand for it: it may end an intent, never permit a send, against a silent look-up. */
  readonly override: boolean;
}

/** Why a decision is not recorded. `detail`: one sentence that names the next legal step. */
export interface DecisionRefusal {
  readonly code: 'too-late' | 'decision-not-legal';
  readonly detail: string;
}

const ALL: readonly DecisionKind[] = ['applied', 'not_applied', 'retry'];

/** What may be decided now without an override, for a form to offer. */
export function legalDecisions(situation: Situation): readonly DecisionKind[] {
  return ALL.filter(
    (decision) => decisionRefusal({ decision, override: false }, situation) === null,
  );
}

/**
 * Null if the decision may be recorded now. Run it under the intent's row lock: when the decision is
 * made, and again when it is approved.
 */
export function decisionRefusal(
  request: DecisionRequest,
  situation: Situation,
): DecisionRefusal | null {
  const now = standing(situation);
  const { journal } = situation;
  const ended = isFinal(journal.status) ? journal.status : now.status;
  if (isFinal(ended)) {
    return {
      code: 'too-late',
      detail: `The intent has ended ${ended}, and an outcome is never changed; ${AFTER[ended]}.`,
    };
  }
  const refusal =
    NOT_NOW[now.status] ??
    whyNotAgainst(request, now.belief, situation) ??
    (request.decision === 'retry' ? whyNoRetry(request, now, situation) : null);
  return refusal === null ? null : { code: 'decision-not-legal', detail: refusal };
}

const AFTER = {
  succeeded: 'refund it instead',
  failed: 'the caller may ask again under a new key',
  canceled: 'the caller may ask again under a new key',
} as const satisfies Record<Extract<Status, 'succeeded' | 'failed' | 'canceled'>, string>;

/** Decisions are for doubt; everywhere else the engine knows, or will know, what to do. */
const NOT_NOW: Readonly<Partial<Record<Status, string>>> = {
  accepted:
    'Nothing that was sent can have taken effect, so there is nothing to decide; wait, or cancel it.',
  executing: 'A send is under way; wait for its answer, or cancel it.',
  pending: 'The provider has it and answers later; wait for that, or cancel it.',
};

/** Two decisions about the same attempts: the first waits for our look-up, which says who is right. */
function whyNotAgainst(
  { decision, override }: DecisionRequest,
  belief: Belief,
  { journal }: Situation,
): string | null {
  const awaits = 'awaits' in belief ? belief.awaits : null;
  if (override || awaits === null || awaits.lookUp === 'blind') return null;
  if (awaits.decision === decision || lastDecision(journal) === null) return null;
  return `An operator decided ${wordsFor(awaits)} before, which waits to be confirmed; wait for that, or let two persons override it.`;
}

/** Nothing makes a send legal that the rules forbid: cap, deadline, cancel, conflict, rules 3 to 6. */
function whyNoRetry(
  { override }: DecisionRequest,
  { belief }: Standing,
  situation: Situation,
): string | null {
  const { journal, policy, now } = situation;
  if (override) {
    return 'An override ends an intent and never permits a send; decide applied or not_applied.';
  }
  if (journal.cancelRequestedAt !== null) {
    return 'Its cancel was accepted, so nothing is sent any more; decide applied or not_applied.';
  }
  if (belief.kind === 'conflict') {
    return 'The evidence contradicts itself, so nothing is sent; decide applied or not_applied.';
  }
  const sent = belief.attempts.filter((one) => one.proof !== 'not_sent');
  if (sent.length >= policy.attemptCap) {
    return `All ${policy.attemptCap} attempts are used up; decide applied or not_applied.`;
  }
  const attempts = belief.attempts.at(-1)?.attempt.number ?? 0;
  const sendAt = Math.max(now, countsFrom({ attempts }, situation));
  if (sendAt >= deadlineOf(situation)) {
    return 'Its deadline leaves no time for another attempt; decide applied or not_applied.';
  }
  const why = forbidsSend(belief.attempts, { askedAt: now, sendAt }, situation);
  return why === null ? null : `A retry is not safe: ${why}; decide applied or not_applied.`;
}
