/** What contradicts itself, the intent, or an operator (rules 9 and 10), each in one sentence. */
import { type Belief } from './assess';
import { type JudgedAttempt } from './closed-attempts';
import { type Decision } from './decided';
import { type Finding, type Journal, type Observation } from './journal';

/** Evidence about the effect asked for. */
export interface Evidence {
  readonly attempts: readonly JudgedAttempt[];
  readonly seen: readonly Observation[];
  /** Evidence about its undoing. */
  readonly undoing: readonly Observation[];
  readonly journal: Journal;
}

/** Rule 9: the evidence alone. */
export function contradictions({ attempts, seen, undoing, journal }: Evidence): readonly string[] {
  const pieces = [
    ...seen.flatMap((one) => contradictsTheIntent(one, journal)),
    ...undoing.flatMap(sayConflict),
  ];
  const ids = effectIds(seen);
  if (ids.length > 1) return [...pieces, `two effects: ${ids.join(' and ')}`];
  if (attempts.some((one) => one.proof === null)) return pieces;
  const without =
    attempts.length === 0 ? 'nothing was sent' : 'every attempt is proven without one';
  if (ids.length === 1) return [...pieces, `effect ${ids.join()} exists, and ${without}`];
  const pending = seen.find((one) => isStillPending(one, seen));
  return pending === undefined
    ? pieces
    : [...pieces, `the ${pending.source} shows it pending, and ${without}`];
}

/** The belief in a contradiction. Each piece is said once, however often it was shown. */
export function conflictOf(
  { attempts, seen }: Evidence,
  pieces: readonly string[],
): Extract<Belief, { kind: 'conflict' }> {
  const isDoubled =
    effectIds(seen).length > 1 ||
    seen.some(({ finding }) => finding.kind === 'conflict' && finding.several === true);
  return { kind: 'conflict', attempts, pieces: [...new Set(pieces)], isDoubled };
}

/**
 * What is pending may be declined later; no miss and no failed send takes it back. Notifications come in
 * any order, so one that tells of the time before a decline may follow it.
 */
function isStillPending(one: Observation, seen: readonly Observation[]): boolean {
  if (one.finding.kind !== 'pending') return false;
  const declines = seen.filter(({ finding }) => finding.kind === 'rejected');
  if (one.source === 'notification') return declines.length === 0;
  return !declines.some(({ observedAt }) => observedAt >= one.askedAt);
}

/** Something else than was asked for, or a reversal that is not ours. */
export function contradictsTheIntent(one: Observation, journal: Journal): readonly string[] {
  if (one.finding.kind !== 'reverted' || isOurs(journal, one.askedAt)) return sayConflict(one);
  return [`${one.source}: reverted, and not by us`];
}

function sayConflict({ finding, source }: Observation): readonly string[] {
  return finding.kind === 'conflict' ? [`${source}: ${finding.what}`] : [];
}

/** Rule 10: the evidence against the last decision, where it is about the attempts that it saw. */
export function contradictsDecision(decision: Decision, evidence: Evidence): readonly string[] {
  const { attempts, seen, journal } = evidence;
  if (decision.decision === 'applied') {
    return allClosed(attempts.filter(({ attempt }) => attempt.number <= decision.attempts))
      ? ['an operator says applied, and every attempt is proven without effect']
      : [];
  }
  if (wasReverting(journal, decision.askedAt)) return [];
  const next = attempts.find(({ attempt }) => attempt.number > decision.attempts)?.attempt;
  return seen.flatMap((one) => {
    const isOfLater =
      next !== undefined &&
      (one.attempt === null ? one.askedAt >= next.openedAt : one.attempt >= next.number);
    if (isOfLater || !showsEffect(one, decision, journal)) return [];
    return [`an operator says ${wordsFor(decision)}, and the ${one.source} ${one.finding.kind}`];
  });
}

/** What the provider had pending before the decision was known to the person who made it. */
function showsEffect(one: Observation, { position }: Decision, journal: Journal): boolean {
  if (one.finding.kind === 'pending') return journal.observations.indexOf(one) > position;
  return one.finding.kind === 'applied' || one.finding.kind === 'reverted';
}

/** A decision as it is spoken. */
export function wordsFor({ decision }: Pick<Decision, 'decision'>): string {
  return { applied: 'applied', not_applied: 'not applied', retry: 'retry' }[decision];
}

/** By a cancel of ours, or by refunds of ours that leave nothing of it. */
function isOurs(journal: Journal, when: number): boolean {
  return journal.isGivenBack === true || wasReverting(journal, when);
}

/** True if an attempt of ours to undo had been opened by then. */
function wasReverting({ attempts }: Journal, when: number): boolean {
  return attempts.some((one) => one.effect === 'revert' && one.openedAt <= when);
}

/** The provider's ids of every effect that was shown; a reverted effect was applied before. */
export function effectIds(seen: readonly Observation[]): readonly string[] {
  return [...new Set(seen.flatMap(({ finding }) => appliedId(finding)))];
}

function appliedId(finding: Finding): readonly string[] {
  return finding.kind === 'applied' || finding.kind === 'reverted' ? [finding.providerId] : [];
}

function allClosed(attempts: readonly JudgedAttempt[]): boolean {
  return attempts.length > 0 && attempts.every((one) => one.proof !== null);
}
