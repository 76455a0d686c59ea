/**
 * A decision made after a conflict ends it (rule 9): what it knew of is set aside. It stays a request
 * where a look-up sees (rule 10): there our own look-up, asked after it, must agree. A look-up that
 * shows the same difference again agrees with `applied`: something is there, and a person has judged it.
 */
import { type Belief } from './assess';
import {
  conflictOf,
  contradictsTheIntent,
  effectIds,
  type Evidence,
  wordsFor,
} from './contradictions';
import {
  awaited,
  type Decision,
  isRequest,
  lateLookUps,
  lookUpsAfter,
  provesEffect,
  provesNone,
  type Weighing,
} from './decided';
import { type Finding, type Observation } from './journal';

interface Judged {
  readonly evidence: Evidence;
  readonly weighing: Weighing;
}

/** What is believed once `decision` was made in a conflict. */
export function afterConflict(decision: Decision, judged: Judged): Belief {
  const { attempts, seen } = judged.evidence;
  const pieces = refutedBy(decision, judged);
  if (pieces.length > 0) return conflictOf(judged.evidence, pieces);
  if (decision.decision === 'applied' && isConfirmed(decision, judged)) {
    const ids = effectIds(seen);
    return { kind: 'applied', attempts, providerId: ids.length === 1 ? (ids[0] ?? null) : null };
  }
  if (decision.decision !== 'applied' && isConfirmed(decision, judged)) {
    return {
      kind: 'not_applied',
      attempts: attempts.map(({ attempt, proof }) => ({ attempt, proof: proof ?? 'decided' })),
      decision: 'not_applied',
    };
  }
  return inDoubt(decision, judged);
}

/** What came to light after the decision and speaks against it. */
function refutedBy(decision: Decision, { evidence, weighing }: Judged): readonly string[] {
  const fresh = evidence.seen.filter((one) => isFresh(one, decision, evidence));
  const says = `an operator says ${wordsFor(decision)}`;
  if (decision.decision === 'applied') {
    const reverted = fresh.flatMap((one) =>
      one.finding.kind === 'reverted' ? contradictsTheIntent(one, evidence.journal) : [],
    );
    const { lookUp } = weighing.contract;
    const isAbsent =
      (lookUp?.absenceIsProof ?? false) &&
      lateLookUps(decision, weighing).at(-1)?.finding.kind === 'absent';
    return isAbsent ? [...reverted, `${says}, and a look-up finds nothing`] : reverted;
  }
  return fresh.flatMap(({ source, finding }) =>
    SHOWN.includes(finding.kind) ? [`${says}, and the ${source} ${finding.kind}`] : [],
  );
}

const SHOWN: readonly Finding['kind'][] = ['applied', 'pending', 'conflict'];

function isFresh(one: Observation, decision: Decision, { journal }: Evidence): boolean {
  return (
    one.finding.kind !== 'decided' &&
    (journal.observations.indexOf(one) > decision.position || one.observedAt > decision.askedAt)
  );
}

function isConfirmed(decision: Decision, { weighing }: Judged): boolean {
  if (decision.decision === 'applied') {
    return (
      provesEffect(decision, weighing) ||
      lookUpsAfter(decision, weighing).some(({ finding: { kind } }) =>
        ['applied', 'conflict'].includes(kind),
      )
    );
  }
  return (
    provesNone(decision, weighing) ||
    (isRequest(decision, weighing) &&
      lateLookUps(decision, weighing).some((one) => one.finding.kind === 'reverted'))
  );
}

/** The conflict is with a person's word; our own look-up is still to come, or its answer. */
function inDoubt(decision: Decision, { evidence, weighing }: Judged): Belief {
  const { attempts, seen } = evidence;
  const last = attempts.at(-1)?.attempt;
  if (last === undefined) {
    return conflictOf(evidence, ['evidence of an effect that was never sent']);
  }
  const awaits = awaited(decision, weighing);
  const since = decision.askedAt;
  return seen.some((one) => one.finding.kind === 'pending')
    ? { kind: 'pending', attempts, last, since, awaits }
    : { kind: 'doubt', attempts, last, since, frozen: false, awaits };
}
