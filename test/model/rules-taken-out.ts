/**
 * Negative controls: the rules with one clause taken out. The real rules are called with an altered
 * journal or contract, or their step is altered afterwards; nothing of them is copied.
 */
import { assessRevert } from '../../domain/assess-revert';
import { type ProviderContract } from '../../domain/contract';
import { type Observation } from '../../domain/journal';
import { nextAttempt } from '../../domain/send-step';
import { standing, type Standing } from '../../domain/standing';
import { type Outcome } from '../../domain/status';
import { type Situation, type Step } from '../../domain/step';
import { quietTime } from '../../domain/times';
import { ticks } from './shape';

/** Rules with something wrong. */
export type Wrong = (situation: Situation) => Standing;

/** The real rules, believing another contract. */
export function believing(change: (contract: ProviderContract) => ProviderContract): Wrong {
  return (situation) => standing({ ...situation, contract: change(situation.contract) });
}

/** The real rules over an altered piece of evidence each. */
export function reading(
  change: (observation: Observation, situation: Situation) => Observation,
): Wrong {
  return (situation) => {
    const { journal } = situation;
    const observations = journal.observations.map((one) => change(one, situation));
    return standing({ ...situation, journal: { ...journal, observations } });
  };
}

/** The real standing with another step where `choose` names one; the status follows the step. */
export function stepping(choose: (real: Standing, situation: Situation) => Step | null): Wrong {
  return (situation) => {
    const real = standing(situation);
    const step = choose(real, situation);
    if (step === null) return real;
    const status = step.kind === 'finish' ? step.outcome : statusOf(step, real);
    const nextStepAt = step.kind === 'wait' ? step.until : situation.now;
    return { ...real, step, status, nextStepAt };
  };
}

function statusOf(step: Step, real: Standing): Standing['status'] {
  if (step.kind === 'review') return 'in_review';
  return real.status === 'in_review' ? 'unknown' : real.status;
}

/** The same, but only once the effect is applied, and so only for its undoing. */
function believingOfUndoing(change: (contract: ProviderContract) => ProviderContract): Wrong {
  return (situation) => {
    const real = standing(situation);
    return real.belief.kind === 'applied' ? believing(change)(situation) : real;
  };
}

/** A finish with that outcome. */
export function ends(outcome: Outcome): Step {
  return { kind: 'finish', outcome, reason: 'planted' };
}

/** True once the provider said that the effect is undone. */
function isUndone({ journal, contract, now }: Situation): boolean {
  return assessRevert(journal, contract, now).kind === 'done';
}

/** The clauses, by the number of their story. */
export const TAKEN_OUT = {
  hintsAreEvidence: reading((one) =>
    one.source === 'notification' ? { ...one, source: 'look_up' } : one,
  ),
  datedByRecording: reading((one) => ({ ...one, askedAt: one.observedAt })),
  seesForEver: believing((contract) => ({
    ...contract,
    lookUp: contract.lookUp && { ...contract.lookUp, seesBackMs: 'forever' },
  })),
  repeatsUntilTheEdge: believing((contract) => ({
    ...contract,
    key: contract.key && {
      ...contract.key,
      windowMs:
        typeof contract.key.windowMs === 'number'
          ? contract.key.windowMs + ticks(3)
          : contract.key.windowMs,
    },
  })),
  sendsAtTheEdge: stepping(({ step, belief }, situation) =>
    step.kind === 'wait' && step.reason.includes('key window')
      ? nextAttempt(belief.attempts, situation)
      : null,
  ),
  aRejectionIsTheLastWord: believing((contract) => ({
    ...contract,
    send: { ...contract.send, mayRepeat: false },
  })),
  rejectionsAreSaved: believing((contract) => ({
    ...contract,
    key: contract.key && { ...contract.key, savesRejections: true },
  })),
  refusalsAreSaved: reading((one) =>
    one.finding.kind === 'rejected' ? { ...one, finding: { ...one.finding, declined: true } } : one,
  ),
  supersededIsClosed: (situation) => {
    const { journal } = situation;
    const attempts = journal.attempts.filter((one) => one.verdict !== 'superseded');
    return standing({ ...situation, journal: { ...journal, attempts } });
  },
  sendsAfterCancel: stepping((_real, situation) => {
    const { journal } = situation;
    if (journal.cancelRequestedAt === null) return null;
    const open = standing({ ...situation, journal: { ...journal, cancelRequestedAt: null } });
    return open.step.kind === 'send' ? open.step : null;
  }),
  onlyWaitsAfterUndoing: stepping(({ belief }, situation) => {
    const last = belief.attempts.at(-1)?.attempt;
    if (last === undefined || belief.kind !== 'applied' || !isUndone(situation)) return null;
    const until = quietTime(last, situation.contract);
    if (situation.now > until) return ends('canceled');
    return { kind: 'wait', until: until + 1, reason: 'planted' };
  }),
  looksUpForEver: believing((contract) => ({ ...contract, patienceMs: ticks(1_000) })),
  noEndOfUndoing: stepping(({ belief, step }, { journal, contract, now }) => {
    const undoing = assessRevert(journal, contract, now).kind !== 'none';
    const stops = step.kind === 'review' || step.kind === 'finish';
    if (belief.kind !== 'applied' || !undoing || !stops) return null;
    return { kind: 'wait', until: now + ticks(1), reason: 'planted' };
  }),
  failureNoteClosesTheLast: reading((one, { journal }) => {
    if (one.source !== 'notification' || one.finding.kind !== 'rejected') return one;
    return { ...one, source: 'response', attempt: journal.attempts.at(-1)?.number ?? null };
  }),
  missesAreAnsweredWhenAsked: reading((one) =>
    one.source === 'look_up' ? { ...one, observedAt: one.askedAt } : one,
  ),
  aRefusedUndoingIsTheLastWord: believingOfUndoing((contract) => ({
    ...contract,
    send: { ...contract.send, mayRepeat: false },
  })),
  aRefusalIsOfAllCopies: reading((one) => {
    if (one.finding.kind !== 'not_sent') return one;
    const { kind, why, retryAfterMs } = one.finding;
    return { ...one, finding: { kind, why, retryAfterMs } };
  }),
  anyLookUpConfirmsACancel: believingOfUndoing((contract) => ({
    ...contract,
    lookUp: contract.lookUp && { ...contract.lookUp, absenceIsProof: true },
  })),
} as const satisfies Record<string, Wrong>;
