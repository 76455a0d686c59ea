/**
 * What happens next, from the belief alone: the decision rules in their order. Pure, like `assess`.
 * `send` re-derives the same step under the row lock before it opens an attempt, so a stale, repeated
 * or second run that decided to send on an old journal sends nothing.
 */
import { type Belief, isFrozen } from './assess';
import { ownAnswer, type JudgedAttempt } from './closed-attempts';
import { DEFAULT_SCHEDULE_MS, type Policy, type ProviderContract } from './contract';
import { type Attempt, type Effect, type Journal } from './journal';
import { afterWindowEdge, lastRepeatAt, patienceEnds, proofTime } from './times';
import { type Outcome } from './status';

/**
 * - `send`: open attempt `number` under the key of `generation`
 * - `look_up`: ask the provider now
 * - `wait`: nothing to do before `until`
 * - `review`: a person must decide; a look-up goes on at `lookUpAt`, if there is one to make
 * - `finish`: the outcome is proven
 */
export type Step =
  | {
      readonly kind: 'send';
      readonly effect: Effect;
      readonly number: number;
      readonly generation: number;
    }
  | { readonly kind: 'look_up'; readonly effect: Effect }
  | { readonly kind: 'wait'; readonly until: number; readonly reason: string }
  | { readonly kind: 'review'; readonly reason: string; readonly lookUpAt: number | null }
  | { readonly kind: 'finish'; readonly outcome: Outcome; readonly reason: string };

type SendStep = Extract<Step, { kind: 'send' }>;

/** What a decision needs besides the belief. `now`: the database's clock in milliseconds. */
export interface Situation {
  readonly journal: Journal;
  readonly contract: ProviderContract;
  readonly policy: Policy;
  readonly now: number;
}

/** The next step for the effect that the intent asks for. */
export function nextStep(belief: Belief, situation: Situation): Step {
  switch (belief.kind) {
    case 'applied':
      return { kind: 'finish', outcome: 'succeeded', reason: 'The provider shows the effect.' };
    case 'rejected':
      return {
        kind: 'finish',
        outcome: 'failed',
        reason: `The provider ${belief.declined ? 'declined' : 'rejected'} it (${belief.code}).`,
      };
    case 'conflict':
      return {
        kind: 'review',
        reason: `Evidence contradicts the intent: ${belief.pieces.join('; ')}.`,
        lookUpAt: null,
      };
    case 'not_applied':
      return sendOrGiveUp(belief.attempts, situation);
    case 'in_flight':
      return { kind: 'wait', until: belief.until, reason: 'A send is under way.' };
    case 'pending':
      return askAgain(belief, situation, 'The provider has it and will answer later');
    case 'doubt':
      return resolveDoubt(belief, situation);
  }
}

/** Rules 1 and 6: nothing is applied, so an attempt is legal while the cap allows. */
function sendOrGiveUp(judged: readonly JudgedAttempt[], situation: Situation): Step {
  const sent = judged.filter((one) => one.proof !== 'not_sent');
  if (sent.length >= situation.policy.attemptCap) {
    return {
      kind: 'finish',
      outcome: 'failed',
      reason: `Proven not applied after ${sent.length} attempts; given up.`,
    };
  }
  return (
    notReachedYet(judged, situation) ?? pastWindowEdge(send(judged, situation), sent, situation)
  );
}

/** The provider took nothing last time. That says nothing about the intent: keep trying, spaced. */
function notReachedYet(judged: readonly JudgedAttempt[], situation: Situation): Step | null {
  const last = judged.at(-1);
  if (last?.proof !== 'not_sent') return null;
  const finding = ownAnswer(last.attempt, situation.journal.observations)?.finding;
  if (finding?.kind !== 'not_sent') return null;
  const times = judged.filter((one) => one.proof === 'not_sent').length;
  const spaced = pause(scheduleOf(situation.contract), times - 1);
  const until = last.attempt.openedAt + Math.max(finding.retryAfterMs ?? 0, spaced);
  if (situation.now >= until) return null;
  return { kind: 'wait', until, reason: `Not sent yet (${finding.why}); trying again.` };
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
function send(judged: readonly JudgedAttempt[], situation: Situation): SendStep {
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

/** Rules 2 to 5: ask; where asking can never prove absence, repeat under the key, inside its window. */
function resolveDoubt(belief: Extract<Belief, { kind: 'doubt' }>, situation: Situation): Step {
  const { contract } = situation;
  const asked = lookUpsSince(belief.last, situation.journal);
  const canProve = contract.lookUp?.absenceIsProof ?? false;
  if (!canProve && mayRepeat(belief, situation)) {
    if (contract.lookUp === null || asked > 0) return repeat(belief, situation);
  }
  const noWayOn = contract.lookUp === null && !contract.notifications;
  if (noWayOn) {
    return {
      kind: 'review',
      reason: 'The answer was lost, and this provider can neither be asked nor sent a repeat.',
      lookUpAt: null,
    };
  }
  return askAgain(belief, situation, 'The answer was lost after sending; asking the provider');
}

/** Rule 4, and rule 5: a frozen error never improves by repeating. */
function mayRepeat(belief: Extract<Belief, { kind: 'doubt' }>, situation: Situation): boolean {
  const { contract, now } = situation;
  if (belief.frozen || now >= patienceEnds(firstOf(belief), contract)) return false;
  const underKey = belief.attempts.filter(
    (one) => one.attempt.generation === belief.last.generation && one.proof !== 'not_sent',
  );
  const last = lastRepeatAt(underKey[0]?.attempt ?? belief.last, contract);
  return last !== null && now <= last;
}

/** Patience with a chain of repeats counts from its first send: repeating does not renew it. */
function firstOf(belief: Extract<Belief, { kind: 'doubt' }>): Attempt {
  const open = belief.attempts.find(
    (one) => one.proof === null && one.attempt.generation === belief.last.generation,
  );
  return open?.attempt ?? belief.last;
}

function repeat(belief: Extract<Belief, { kind: 'doubt' }>, situation: Situation): Step {
  const opened = belief.attempts.at(-1)?.attempt.openedAt ?? belief.since;
  const schedule = scheduleOf(situation.contract);
  const until = Math.max(belief.since, opened) + pause(schedule, belief.attempts.length - 1);
  return situation.now < until
    ? { kind: 'wait', until, reason: 'The answer was lost; repeating the same request.' }
    : send(belief.attempts, situation);
}

/** Rules 2 and 7: look up on the schedule; patience spent, a person too is asked. */
function askAgain(
  belief: Extract<Belief, { kind: 'doubt' | 'pending' }>,
  situation: Situation,
  reason: string,
): Step {
  const { contract, now } = situation;
  const patience = patienceEnds(belief.last, contract);
  if (now >= patience) {
    return {
      kind: 'review',
      reason: `${reason}, without result within ${contract.patienceMs / 1000} s.`,
      lookUpAt: slowestLookUp(belief.last, situation),
    };
  }
  if (contract.lookUp === null) return { kind: 'wait', until: patience, reason: `${reason}.` };
  const due = Math.min(dueLookUp(belief, situation), patience);
  if (now >= due) return { kind: 'look_up', effect: 'apply' };
  return { kind: 'wait', until: due, reason: `${reason}.` };
}

/** On the schedule, and once right after the proof time, where a miss first counts. */
function dueLookUp(
  belief: Extract<Belief, { kind: 'doubt' | 'pending' }>,
  situation: Situation,
): number {
  const { contract, journal } = situation;
  const asked = lookUpsSince(belief.last, journal);
  const lastAsked = lastLookUp(belief.last, journal) ?? belief.since;
  const scheduled = lastAsked + pause(scheduleOf(contract), asked);
  const proof = proofTime(belief.last, contract) + 1;
  return lastAsked < proof ? Math.min(scheduled, Math.max(proof, belief.since)) : scheduled;
}

function slowestLookUp(last: Attempt, { contract, journal }: Situation): number | null {
  if (contract.lookUp === null) return null;
  const slowest = contract.lookUp.scheduleMs.at(-1) ?? 0;
  return (lastLookUp(last, journal) ?? last.openedAt) + slowest;
}

function lookUpsSince(last: Attempt, journal: Journal): number {
  return journal.observations.filter(
    (one) => one.source === 'look_up' && one.askedAt >= last.openedAt,
  ).length;
}

function lastLookUp(last: Attempt, journal: Journal): number | null {
  const asked = journal.observations
    .filter((one) => one.source === 'look_up' && one.askedAt >= last.openedAt)
    .map((one) => one.askedAt);
  return asked.length === 0 ? null : Math.max(...asked);
}

function scheduleOf(contract: ProviderContract): readonly number[] {
  return contract.lookUp?.scheduleMs ?? DEFAULT_SCHEDULE_MS;
}

function pause(schedule: readonly number[], index: number): number {
  return schedule[Math.min(Math.max(index, 0), schedule.length - 1)] ?? 0;
}
