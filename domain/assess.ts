/**
 * What is believed of an intent, from its journal alone. Pure: no I/O, no clock, no randomness; the
 * same code runs in the workflow and, under the row lock, in every activity that writes.
 */
import { isEvidence, judgeAttempts, ownAnswer, type JudgedAttempt } from './closed-attempts';
import { type ProviderContract } from './contract';
import { type Attempt, type Finding, type Journal, type Observation } from './journal';

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
  | { readonly kind: 'not_applied'; readonly attempts: readonly JudgedAttempt[] }
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
    }
  | {
      readonly kind: 'pending';
      readonly attempts: readonly JudgedAttempt[];
      readonly last: Attempt;
      readonly since: number;
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
    };

/** Judges the effect that an intent asks for. `now` is the database's clock in milliseconds. */
export function assess(journal: Journal, contract: ProviderContract, now: number): Belief {
  const effect = 'apply';
  const attempts = judgeAttempts(journal, effect, contract);
  const seen = journal.observations.filter(
    (one) => one.effect === effect && isEvidence(one, contract),
  );
  const pieces = contradictions(attempts, seen, journal);
  if (pieces.length > 0) return { kind: 'conflict', attempts, pieces };
  const [providerId] = seen.flatMap(({ finding }) => appliedId(finding));
  if (providerId !== undefined) return { kind: 'applied', attempts, providerId };
  const last = attempts.filter((one) => one.proof === null).at(-1)?.attempt;
  return last === undefined ? closed(attempts, seen) : open({ attempts, seen, last, now });
}

/** Rule 9: each contradiction in one sentence. */
function contradictions(
  attempts: readonly JudgedAttempt[],
  seen: readonly Observation[],
  journal: Journal,
): readonly string[] {
  const pieces = seen.flatMap(({ finding, source, askedAt }) => {
    if (finding.kind === 'conflict') return [`${source}: ${finding.what}`];
    if (finding.kind !== 'reverted' || wasReverting(journal, askedAt)) return [];
    return [`${source}: reverted, and not by us`];
  });
  const ids = new Set(seen.flatMap(({ finding }) => appliedId(finding)));
  if (ids.size > 1) return [...pieces, `two effects: ${[...ids].join(' and ')}`];
  const allClosed = attempts.length > 0 && attempts.every((one) => one.proof !== null);
  if (ids.size === 1 && allClosed) {
    return [...pieces, `effect ${[...ids].join()} exists, and every attempt is proven without one`];
  }
  return pieces;
}

/** True if an attempt of ours to undo had been opened by then. */
function wasReverting({ attempts }: Journal, when: number): boolean {
  return attempts.some((one) => one.effect === 'revert' && one.openedAt <= when);
}

/** A reverted effect was applied before. */
function appliedId(finding: Finding): readonly string[] {
  return finding.kind === 'applied' || finding.kind === 'reverted' ? [finding.providerId] : [];
}

/** Every attempt is proven without effect (or none was opened). */
function closed(attempts: readonly JudgedAttempt[], seen: readonly Observation[]): Belief {
  const refusal = seen.find((one) => one.finding.kind === 'rejected')?.finding;
  if (refusal?.kind === 'rejected') {
    return { kind: 'rejected', attempts, code: refusal.code, declined: refusal.declined };
  }
  return { kind: 'not_applied', attempts };
}

interface OpenCase {
  readonly attempts: readonly JudgedAttempt[];
  readonly seen: readonly Observation[];
  readonly last: Attempt;
  readonly now: number;
}

/** At least one attempt may have had an effect, or may still have one. */
function open({ attempts, seen, last, now }: OpenCase): Belief {
  const answer = ownAnswer(last, seen);
  if (answer === undefined && now < last.sendDeadline) {
    return { kind: 'in_flight', attempts, until: last.sendDeadline };
  }
  const since = answer?.observedAt ?? last.sendDeadline;
  if (seen.some((one) => one.finding.kind === 'pending')) {
    return { kind: 'pending', attempts, last, since };
  }
  const frozen = attempts.some(({ attempt, proof }) => proof === null && isFrozen(attempt, seen));
  return { kind: 'doubt', attempts, last, since, frozen };
}

/** Rule 5: the provider may have saved this attempt's error under its key. */
export function isFrozen(attempt: Attempt, seen: readonly Observation[]): boolean {
  const finding = ownAnswer(attempt, seen)?.finding;
  return finding?.kind === 'unknown' && finding.frozen;
}
