/**
 * What is believed of an intent, from its journal alone. Pure: no I/O, no clock, no randomness; the
 * same code runs in the workflow and, under the row lock, in every activity that writes.
 */
import { isEvidence, judgeAttempts, ownAnswer, type JudgedAttempt } from './closed-attempts';
import { afterConflict } from './after-conflict';
import { type ProviderContract } from './contract';
import {
  conflictOf,
  contradictions,
  contradictsDecision,
  effectIds,
  type Evidence,
} from './contradictions';
import {
  type Awaited,
  awaited,
  decidedAgainst,
  type Decision,
  lastDecision,
  provesEffect,
  type Weighing,
} from './decided';
import { type Attempt, type DecisionKind, type Journal, type Observation } from './journal';

/**
 * - `not_applied`: nothing was sent, or every attempt is proven to have had no effect
 * - `rejected`: the same, and the provider said no
 * - `in_flight`: an attempt is open and its send is not over
 * - `doubt`: an attempt may have had an effect
 * - `pending`: the provider has it and answers later
 * - `applied`: the provider showed the effect
 * - `conflict`: evidence contradicts the intent or itself
 */
export type Belief =
  | {
      readonly kind: 'not_applied';
      readonly attempts: readonly JudgedAttempt[];
      /** What an operator wants to follow, if one decided about every attempt. */
      readonly decision: DecisionKind | null;
    }
  | {
      readonly kind: 'rejected';
      readonly attempts: readonly JudgedAttempt[];
      readonly code: string;
      readonly declined: boolean;
    }
  | {
      readonly kind: 'in_flight';
      readonly attempts: readonly JudgedAttempt[];
      readonly until: number;
    }
  | {
      readonly kind: 'doubt';
      readonly attempts: readonly JudgedAttempt[];
      readonly last: Attempt;
      /** When the last send was known to be over. */
      readonly since: number;
      readonly frozen: boolean;
      /** An operator's decision that has not taken effect (rule 10). */
      readonly awaits: Awaited | null;
    }
  | {
      readonly kind: 'pending';
      readonly attempts: readonly JudgedAttempt[];
      readonly last: Attempt;
      readonly since: number;
      readonly awaits: Awaited | null;
    }
  | {
      readonly kind: 'applied';
      readonly attempts: readonly JudgedAttempt[];
      /** Null where only an operator says so. */
      readonly providerId: string | null;
    }
  | {
      readonly kind: 'conflict';
      readonly attempts: readonly JudgedAttempt[];
      readonly pieces: readonly string[];
      /** The provider shows more than one effect. */
      readonly isDoubled: boolean;
    };

/** Judges the effect that an intent asks for. `now` is the database's clock in milliseconds. */
export function assess(journal: Journal, contract: ProviderContract, now: number): Belief {
  const weighing = { journal, contract, now };
  const evidence = evidenceIn(journal, contract);
  const { attempts, seen } = evidence;
  const decision = lastDecision(journal);
  if (decision !== null && endsConflict(decision, weighing)) {
    return afterConflict(decision, { evidence, weighing });
  }
  const pieces = [
    ...contradictions(evidence),
    ...(decision === null ? [] : contradictsDecision(decision, evidence)),
  ];
  if (pieces.length > 0) return conflictOf(evidence, pieces);
  const [providerId] = effectIds(seen);
  if (providerId !== undefined) return { kind: 'applied', attempts, providerId };
  return withoutShownEffect({ evidence, weighing, decision });
}

function evidenceIn(journal: Journal, contract: ProviderContract): Evidence {
  const attempts = judgeAttempts(journal, 'apply', contract);
  const evidence = journal.observations.filter((one) => isEvidence(one, contract));
  const seen = evidence.filter((one) => one.effect === 'apply');
  const undoing = evidence.filter((one) => one.effect === 'revert');
  return { attempts, seen, undoing, journal };
}

/**
 * Rule 9: true if the evidence was contradictory when the decision was made. It is judged as it stood
 * then, earlier decisions included; a new attempt is never legal in a conflict.
 */
function endsConflict(decision: Decision, { journal, contract }: Weighing): boolean {
  if (decision.decision === 'retry') return false;
  const before: Journal = {
    ...journal,
    attempts: journal.attempts.filter((one) => one.openedAt <= decision.askedAt),
    observations: journal.observations.filter(
      (one, position) => position < decision.position && one.observedAt <= decision.askedAt,
    ),
  };
  const evidence = evidenceIn(before, contract);
  return (
    contradictions(evidence).length > 0 ||
    assess(before, contract, decision.askedAt).kind === 'conflict'
  );
}

interface Case {
  readonly evidence: Evidence;
  readonly weighing: Weighing;
  readonly decision: Decision | null;
}

/** No evidence shows the effect: an operator's word, proof against every attempt, or doubt. */
function withoutShownEffect({ evidence, weighing, decision }: Case): Belief {
  const { seen } = evidence;
  const attempts = evidence.attempts.map(({ attempt, proof }): JudgedAttempt => ({
    attempt,
    proof: proof ?? (decidedAgainst(attempt, weighing) === null ? null : 'decided'),
  }));
  if (decision !== null && provesEffect(decision, weighing)) {
    const pending = seen.find((one) => one.finding.kind === 'pending')?.finding;
    const providerId = pending?.kind === 'pending' ? pending.providerId : null;
    return { kind: 'applied', attempts, providerId };
  }
  const last = attempts.filter((one) => one.proof === null).at(-1)?.attempt;
  if (last === undefined) return closed(attempts, seen, decision);
  const awaits =
    decision !== null && sawAll(decision, attempts) ? awaited(decision, weighing) : null;
  return open({ attempts, seen, last, now: weighing.now, awaits });
}

/** Every attempt is proven without effect (or none was opened). */
function closed(
  attempts: readonly JudgedAttempt[],
  seen: readonly Observation[],
  decision: Decision | null,
): Belief {
  const refusal = seen.find((one) => one.finding.kind === 'rejected')?.finding;
  if (refusal?.kind === 'rejected') {
    return { kind: 'rejected', attempts, code: refusal.code, declined: refusal.declined };
  }
  const isAboutAll = decision !== null && attempts.length > 0 && sawAll(decision, attempts);
  return { kind: 'not_applied', attempts, decision: isAboutAll ? decision.decision : null };
}

/** False for a decision made before the last attempt was opened: of that one it says nothing. */
function sawAll(decision: Decision, attempts: readonly JudgedAttempt[]): boolean {
  return attempts.every(({ attempt }) => attempt.number <= decision.attempts);
}

interface OpenCase {
  readonly attempts: readonly JudgedAttempt[];
  readonly seen: readonly Observation[];
  readonly last: Attempt;
  readonly now: number;
  readonly awaits: Awaited | null;
}

/** At least one attempt may have had an effect, or may still have one. */
function open({ attempts, seen, last, now, awaits }: OpenCase): Belief {
  const answer = ownAnswer(last, seen);
  if (answer === undefined && now < last.sendDeadline) {
    return { kind: 'in_flight', attempts, until: last.sendDeadline };
  }
  const since = answer?.observedAt ?? last.sendDeadline;
  if (seen.some((one) => one.finding.kind === 'pending')) {
    return { kind: 'pending', attempts, last, since, awaits };
  }
  const frozen = attempts.some(({ attempt, proof }) => proof === null && isFrozen(attempt, seen));
  return { kind: 'doubt', attempts, last, since, frozen, awaits };
}

/** Rule 5: the provider may have saved this attempt's error under its key. */
export function isFrozen(attempt: Attempt, seen: readonly Observation[]): boolean {
  const finding = ownAnswer(attempt, seen)?.finding;
  return finding?.kind === 'unknown' && finding.frozen;
}
