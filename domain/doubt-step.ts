/** How a doubt is ended: by asking, by repeating under the key, by a person (rules 2 to 5 and 7). */
import { type Belief } from './assess';
import { type Attempt } from './journal';
import { type Doubt, dueLookUp, lookUpsSince, pause, scheduleOf, slowestLookUp } from './look-ups';
import { nextAttempt } from './send-step';
import { type Situation, type Step } from './step';
import { deadlineOf, lastRepeatAt, patienceEnds } from './times';

type DoubtBelief = Extract<Belief, { kind: 'doubt' }>;

/** Rules 2 to 5: ask; where asking can never prove absence, repeat under the key, inside its window. */
export function resolveDoubt(belief: DoubtBelief, situation: Situation): Step {
  const { contract } = situation;
  const asked = lookUpsSince(belief.last, situation.journal).length;
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

/** Rule 4; rule 5: a frozen error never improves by repeating; rule 6: nothing is sent past the deadline. */
function mayRepeat(belief: DoubtBelief, situation: Situation): boolean {
  const { contract, now } = situation;
  if (belief.frozen || now >= patienceEnds(firstOf(belief), contract)) return false;
  if (now >= deadlineOf(situation)) return false;
  const underKey = belief.attempts.filter(
    (one) => one.attempt.generation === belief.last.generation && one.proof !== 'not_sent',
  );
  const last = lastRepeatAt(underKey[0]?.attempt ?? belief.last, contract);
  return last !== null && now <= last;
}

/** Patience with a chain of repeats counts from its first send: repeating does not renew it. */
function firstOf(belief: DoubtBelief): Attempt {
  const open = belief.attempts.find(
    (one) => one.proof === null && one.attempt.generation === belief.last.generation,
  );
  return open?.attempt ?? belief.last;
}

function repeat(belief: DoubtBelief, situation: Situation): Step {
  const opened = belief.attempts.at(-1)?.attempt.openedAt ?? belief.since;
  const schedule = scheduleOf(situation.contract);
  const until = Math.max(belief.since, opened) + pause(schedule, belief.attempts.length - 1);
  return situation.now < until
    ? { kind: 'wait', until, reason: 'The answer was lost; repeating the same request.' }
    : nextAttempt(belief.attempts, situation);
}

/** Rules 2 and 7: look up on the schedule; patience spent, a person too is asked. */
export function askAgain(belief: Doubt, situation: Situation, reason: string): Step {
  const { contract, now } = situation;
  const patience = patienceEnds(belief.last, contract);
  if (now >= patience) {
    return {
      kind: 'review',
      reason: `${reason}, without result within ${contract.patienceMs / 1000} s.`,
      lookUpAt: slowestLookUp(belief.last, situation.journal, contract),
    };
  }
  if (contract.lookUp === null) return { kind: 'wait', until: patience, reason: `${reason}.` };
  const due = Math.min(dueLookUp(belief, situation.journal, contract), patience);
  if (now >= due) return { kind: 'look_up' };
  return { kind: 'wait', until: due, reason: `${reason}.` };
}
