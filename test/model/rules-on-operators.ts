/**
 * Negative controls about operators' decisions and deadlines: clauses taken out and wrong rules planted,
 * as in `rules-taken-out.ts`.
 */
import { countsFrom, lastDecision } from '../../domain/decided';
import { type Finding, type Observation } from '../../domain/journal';
import { standing } from '../../domain/standing';
import { type Situation } from '../../domain/step';
import { ends, reading, stepping, type Wrong } from './rules-taken-out';

/** A decision read as what a look-up of ours would have answered. */
function asLookUp(one: Observation, askedAt: number): Observation {
  if (one.finding.kind !== 'decided') return one;
  const finding: Finding =
    one.finding.decision === 'applied'
      ? { kind: 'applied', providerId: 'ch_1' }
      : { kind: 'absent' };
  return { ...one, source: 'look_up', finding, askedAt };
}

function whenItCounts({ finding, askedAt }: Observation, situation: Situation): number {
  return finding.kind === 'decided' ? Math.max(askedAt, countsFrom(finding, situation)) : askedAt;
}

/** The real rules over a journal without the decisions that `isDropped` names. */
function dropping(isDropped: (situation: Situation) => boolean): Wrong {
  return (situation) => {
    const { journal } = situation;
    const observations = journal.observations.filter((one) => one.source !== 'operator');
    const without = { ...situation, journal: { ...journal, observations } };
    return standing(isDropped(without) ? without : situation);
  };
}

/** The wrong rules by name. */
export const ON_OPERATORS = {
  wordsAreLookUps: reading((one, situation) => {
    const from = whenItCounts(one, situation);
    const counts = one.finding.kind === 'decided' && one.finding.decision === 'applied';
    return counts || situation.now >= from ? asLookUp(one, from) : one;
  }),
  wordsCountAtOnce: reading((one, situation) => asLookUp(one, whenItCounts(one, situation))),
  decisionsSeeLaterAttempts: reading((one) =>
    one.finding.kind === 'decided' ? { ...one, finding: { ...one.finding, attempts: 99 } } : one,
  ),
  appliedEndsAnUndoing: stepping(({ belief }, { journal }) => {
    const isUndoing = journal.attempts.some((one) => one.effect === 'revert');
    const saysApplied = lastDecision(journal)?.decision === 'applied';
    return belief.kind === 'applied' && isUndoing && saysApplied ? ends('succeeded') : null;
  }),
  overridesDoNotWait: stepping(({ belief }, { journal }) => {
    const decision = lastDecision(journal);
    const isUndoing = journal.attempts.some((one) => one.effect === 'revert');
    if (belief.kind !== 'applied' || !isUndoing || decision?.decision !== 'applied') return null;
    const silent = journal.observations
      .slice(decision.position)
      .some((one) => one.source === 'look_up' && one.finding.kind === 'unknown');
    return decision.override && silent ? ends('succeeded') : null;
  }),
  conflictsStay: dropping((without) => standing(without).belief.kind === 'conflict'),
  conflictsReturn: dropping(({ journal }) => {
    const last = journal.observations.at(-1);
    return last?.source === 'look_up' && last.finding.kind === 'conflict';
  }),
  retriesUnderANewKey: stepping(({ belief, step }) =>
    step.kind === 'send' && belief.attempts.some((one) => one.proof === 'decided')
      ? { ...step, generation: step.number }
      : null,
  ),
  noDeadline: (situation) =>
    standing({ ...situation, policy: { ...situation.policy, deadlineMs: null } }),
} as const satisfies Record<string, Wrong>;
