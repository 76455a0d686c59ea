/** Whether, and under which key, an attempt to apply may be opened (rules 1 and 6, INV-4). */
import { type Belief, isFrozen } from './assess';
import { type JudgedAttempt, ownAnswer } from './closed-attempts';
import { type ProviderContract } from './contract';
import { lastDecision } from './decided';
import { pause, scheduleOf, slowestLookUp } from './look-ups';
import { forbidsSend } from './send-on-word';
import { lengthened, place } from './spread';
import { type SendStep, type Situation, type Step } from './step';
import { afterWindowEdge, deadlineOf } from './times';

type NotApplied = Extract<Belief, { kind: 'not_applied' }>;

/** Rules 1 and 6: nothing is applied, so an attempt is legal while cap, deadline and operators allow. */
export function sendOrGiveUp(belief: NotApplied, situation: Situation): Step {
  const judged = belief.attempts;
  if (belief.decision === 'not_applied')
    return failed('An operator found that it was not applied.');
  const sent = judged.filter((one) => one.proof !== 'not_sent');
  if (sent.length >= situation.policy.attemptCap) {
    return failed(`Proven not applied after ${sent.length} attempts; given up.`);
  }
  const deadline = deadlineOf(situation);
  if (situation.now >= deadline) {
    return failed(
      sent.length === 0
        ? 'Its deadline passed before anything was sent.'
        : 'Proven not applied, and its deadline has passed; given up.',
    );
  }
  const next =
    onWordAlone(judged, situation) ??
    notReachedYet(judged, situation) ??
    whileHeld(situation) ??
    pastWindowEdge(nextAttempt(judged, situation), sent, situation);
  return next.kind === 'wait' ? { ...next, until: Math.min(next.until, deadline) } : next;
}

function failed(reason: string): Step {
  return { kind: 'finish', outcome: 'failed', reason };
}

/** Rule 10: where only an operator's word is against an attempt, that word must permit the next. */
function onWordAlone(judged: readonly JudgedAttempt[], situation: Situation): Step | null {
  const { journal, now } = situation;
  const decision = lastDecision(journal);
  if (decision === null || !judged.some((one) => one.proof === 'decided')) return null;
  const why = forbidsSend(judged, { askedAt: decision.askedAt, sendAt: now }, situation);
  if (why === null) return null;
  const last = judged.at(-1)?.attempt;
  return {
    kind: 'review',
    reason: `An operator decided retry, and ${why}; decide applied or not_applied instead.`,
    lookUpAt: last === undefined ? null : slowestLookUp(last, journal, situation.contract),
  };
}

/** The provider took nothing last time. That says nothing about the intent: keep trying, spaced. */
function notReachedYet(judged: readonly JudgedAttempt[], situation: Situation): Step | null {
  const last = judged.at(-1);
  if (last?.proof !== 'not_sent') return null;
  const answer = ownAnswer(last.attempt, situation.journal.observations);
  const finding = answer?.finding;
  if (finding?.kind !== 'not_sent') return null;
  const times = judged.filter((one) => one.proof === 'not_sent').length;
  const until = notBefore(finding.retryAfterMs ?? 0, {
    times,
    openedAt: last.attempt.openedAt,
    answeredAt: answer?.observedAt ?? last.attempt.openedAt,
    contract: situation.contract,
  });
  if (situation.now >= until) return null;
  return { kind: 'wait', until, reason: `Not sent yet (${finding.why}); trying again.` };
}

interface Refused {
  /** How many attempts in all were proven not sent. */
  readonly times: number;
  readonly openedAt: number;
  readonly answeredAt: number;
  readonly contract: ProviderContract;
}

/**
 * When to come back: after our own pause, and not before the provider's Retry-After. All who were sent
 * away at one moment were given the same one, so they follow spread over as long again.
 */
function notBefore(
  retryAfterMs: number,
  { times, openedAt, answeredAt, contract }: Refused,
): number {
  const spaced = pause(scheduleOf(contract), times - 1);
  if (contract.jitterPercent === undefined) return openedAt + Math.max(retryAfterMs, spaced);
  return Math.max(
    openedAt + lengthened(spaced, contract, openedAt),
    answeredAt + Math.ceil(retryAfterMs * (1 + place(openedAt))),
  );
}

/**
 * The provider is down: nothing is opened, and nothing is lost by waiting. `send` reads the circuit
 * again under the row lock, so an intent that comes back too early is held again.
 */
function whileHeld({ journal, now }: Situation): Step | null {
  const { hold } = journal;
  if (hold === undefined) return null;
  const until = hold.until + Math.floor(hold.spreadMs * place(journal.createdAt));
  if (now >= until) return null;
  return { kind: 'wait', until, reason: 'Held: the provider is down; nothing is sent to it.' };
}

function pastWindowEdge(
  next: SendStep,
  sent: readonly JudgedAttempt[],
  { contract, now }: Situation,
): Step {
  const first = sent.find((one) => one.attempt.generation === next.generation)?.attempt;
  const until = first === undefined ? now : afterWindowEdge(first, contract, now);
  if (until <= now) return next;
  return {
    kind: 'wait',
    until,
    reason: "Waiting until the provider's key window has surely ended.",
  };
}

/** INV-4: a new generation only where the old key holds a saved error that is proven without effect. */
export function nextAttempt(judged: readonly JudgedAttempt[], situation: Situation): SendStep {
  const last = judged.at(-1)?.attempt;
  const generation = last?.generation ?? 1;
  const keyIsFrozen = judged.some(
    ({ attempt, proof }) =>
      proof === 'absent' &&
      attempt.generation === generation &&
      isFrozen(attempt, situation.journal.observations),
  );
  return {
    kind: 'send',
    effect: 'apply',
    number: (last?.number ?? 0) + 1,
    generation: keyIsFrozen ? generation + 1 : generation,
  };
}
