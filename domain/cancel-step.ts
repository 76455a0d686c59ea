/**
 * Rule 8: what an accepted cancel makes of an intent. No attempt to apply is opened any more; an
 * applied effect is undone by an effect of its own, and *canceled* is said only when nothing is live.
 */
import { type Belief, isFrozen } from './assess';
import { assessRevert, type RevertBelief } from './assess-revert';
import { type JudgedAttempt, ownAnswer, provesNotSent, wouldShow } from './closed-attempts';
import { type ProviderContract } from './contract';
import { decidedUndoing } from './decided-undoing';
import { askAgain } from './doubt-step';
import { type Attempt, type Observation } from './journal';
import { dueLookUp, pause, scheduleOf, slowestLookUp } from './look-ups';
import { type Situation, type Step } from './step';
import { lastRepeatAt, patienceEnds, proofTime, quietTime } from './times';

type Canceling = Extract<Belief, { kind: 'applied' | 'not_applied' | 'doubt' }>;

/** The next step of an intent whose cancel was accepted. */
export function cancelStep(belief: Canceling, situation: Situation): Step {
  switch (belief.kind) {
    case 'not_applied':
      return canceled(
        belief.attempts.length === 0
          ? 'Canceled before anything was sent.'
          : 'Canceled; it is proven that nothing was applied.',
      );
    case 'doubt':
      return findOut(belief, situation);
    case 'applied':
      return undo(belief, situation);
  }
}

function canceled(reason: string): Step {
  return { kind: 'finish', outcome: 'canceled', reason };
}

/** Asking is allowed, repeating is not: a repeat could apply what was canceled. */
function findOut(belief: Extract<Belief, { kind: 'doubt' }>, situation: Situation): Step {
  const { lookUp, notifications } = situation.contract;
  if (lookUp === null && !notifications) {
    return {
      kind: 'review',
      reason: 'Canceled while its outcome is unknown, and this provider cannot be asked.',
      lookUpAt: null,
    };
  }
  return askAgain(belief, situation, 'Canceled while its outcome was unknown; asking the provider');
}

function undo(belief: Extract<Belief, { kind: 'applied' }>, situation: Situation): Step {
  const { journal, contract, now } = situation;
  if (!contract.revert) return tooLate('this provider cannot undo it');
  const revert = assessRevert(journal, contract, now);
  if (revert.kind === 'in_flight') {
    return { kind: 'wait', until: revert.until, reason: 'The effect is being undone.' };
  }
  const decided = decidedUndoing(situation);
  if (decided === 'live') return tooLate('an operator found that it is not undone');
  if (decided === 'gone') return canceled('Canceled; an operator found that the effect is undone.');
  if (decided !== null) return decided;
  switch (revert.kind) {
    case 'none':
      return belief.providerId === null
        ? tooLate('nobody knows its id at the provider, by which it could be undone')
        : sendRevert(revert, situation);
    case 'refused':
      return tooLate(`the provider refused to undo it (${revert.code})`);
    case 'doubt':
      return contract.lookUp === null
        ? repeatRevert(revert, situation)
        : askAgain(revert, situation, 'Undoing the effect was not answered; asking the provider');
    case 'done':
      return confirm(belief, revert, situation);
  }
}

function tooLate(why: string): Step {
  return {
    kind: 'finish',
    outcome: 'succeeded',
    reason: `Too late to cancel: it was applied, and ${why}.`,
  };
}

function review(what: string, last: Attempt, { journal, contract }: Situation): Step {
  const lookUpAt = slowestLookUp(last, journal, contract);
  return { kind: 'review', reason: `${what}; a person must find out.`, lookUpAt };
}

/** The same key again unless refused: undoing twice under one key is undoing once. */
function sendRevert(revert: Extract<RevertBelief, { kind: 'none' }>, situation: Situation): Step {
  const { journal, contract, policy, now } = situation;
  const last = revert.attempts.at(-1);
  if (last === undefined) return { kind: 'send', effect: 'revert', number: 1, generation: 1 };
  const reached = revert.attempts.filter((one) => {
    const own = ownAnswer(one, journal.observations)?.finding;
    return own === undefined || !provesNotSent(own, contract);
  });
  if (reached.length >= policy.attemptCap) {
    return review(`Undoing the effect failed ${reached.length} times`, last, situation);
  }
  const missed = revert.attempts.length - reached.length;
  const until = last.openedAt + pause(scheduleOf(contract), missed - 1);
  if (missed > 0 && now < until) {
    return { kind: 'wait', until, reason: 'The effect could not be undone yet; trying again.' };
  }
  return { kind: 'send', effect: 'revert', number: last.number + 1, generation: last.generation };
}

/**
 * Rule 4 for the undoing: nobody can be asked, but the same request under its key is harmless. Rule 5: an
 * error that the provider saved is all that the key will ever answer, so a person is asked at once, or
 * where the provider tells by itself, after patience.
 */
function repeatRevert(
  revert: Extract<RevertBelief, { kind: 'doubt' }>,
  situation: Situation,
): Step {
  const { last, since } = revert;
  const { journal, contract, now } = situation;
  const attempts = journal.attempts.filter((one) => one.effect === 'revert');
  const first = attempts[0] ?? last;
  if (attempts.some((one) => isFrozen(one, journal.observations))) {
    const what = 'Undoing the effect was answered with an error that the provider saved';
    return contract.notifications
      ? askAgain(revert, situation, what)
      : review(what, last, situation);
  }
  const lastRepeat = lastRepeatAt(first, contract);
  if (lastRepeat === null || now > lastRepeat || now >= patienceEnds(first, contract)) {
    return review('Undoing the effect was not answered', last, situation);
  }
  const until = since + pause(scheduleOf(contract), attempts.length - 1);
  return now < until
    ? { kind: 'wait', until, reason: 'Undoing the effect was not answered; repeating it.' }
    : {
        kind: 'send',
        effect: 'revert',
        number: (attempts.at(-1) ?? last).number + 1,
        generation: last.generation,
      };
}

/**
 * A second copy of the send may still land after the first was undone: only a look-up asked past the
 * proof time of the last send tells that nothing is live. Without look-up, only time can.
 */
function confirm(
  { attempts }: Extract<Belief, { kind: 'applied' }>,
  revert: Extract<RevertBelief, { kind: 'done' }>,
  situation: Situation,
): Step {
  const { journal, contract, now } = situation;
  const lastSend = attempts.at(-1)?.attempt ?? revert.last;
  if (contract.lookUp === null) {
    const until = quietTime(lastSend, contract) + 1;
    return now >= until
      ? canceled('Canceled; the effect was undone.')
      : { kind: 'wait', until, reason: 'The effect was undone; waiting for what is on its way.' };
  }
  const proof = proofTime(lastSend, contract);
  const looks = journal.observations.filter(
    (one) => one.source === 'look_up' && one.askedAt > proof,
  );
  if (looks.some((one) => showsNothingLive(one, attempts, contract)))
    return canceled('Canceled; the effect was undone.');
  if (now <= proof) {
    return { kind: 'wait', until: proof + 1, reason: 'The effect was undone; confirming it.' };
  }
  if (now >= patienceEnds(revert.last, contract)) {
    return review('The effect was undone and is still shown as live', revert.last, situation);
  }
  const due = looks.length === 0 ? now : dueLookUp(revert, journal, contract);
  return now >= due
    ? { kind: 'look_up' }
    : { kind: 'wait', until: due, reason: 'The effect was undone; confirming it.' };
}

/**
 * Where a miss proves nothing, the look-up may show the copy that was undone and hide another: then it
 * tells enough only if there cannot be another, that is, if nothing repeats requests or a key holds
 * the copies together.
 */
function showsNothingLive(
  look: Observation,
  attempts: readonly JudgedAttempt[],
  contract: ProviderContract,
): boolean {
  const first = attempts[0]?.attempt;
  if (first !== undefined && wouldShow(look, first, contract)) {
    return look.finding.kind === 'reverted' || look.finding.kind === 'absent';
  }
  const mayBeTwo = contract.send.mayRepeat && contract.key === null;
  return look.finding.kind === 'reverted' && !mayBeTwo;
}
