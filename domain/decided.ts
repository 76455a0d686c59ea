/**
 * What operators' decisions amount to as evidence (rule 10): which attempts one is about, from when on
 * it may count, and whether it has taken effect. Where a look-up could still see the first send when it
 * was made, a decision is a request, and our own look-up answers it.
 */
import { type ProviderContract } from './contract';
import { type Attempt, type Decided, type Journal, type Observation } from './journal';
import { proofTime } from './times';

/** A decision with its place in the journal. */
export interface Decision extends Decided {
  /** When it was made, on the database's clock. */
  readonly askedAt: number;
  readonly position: number;
}

/** What decisions are weighed against. `now`: the database's clock in milliseconds. */
export interface Weighing {
  readonly journal: Journal;
  readonly contract: ProviderContract;
  readonly now: number;
}

/** A decision that is recorded and has not taken effect. */
export interface Awaited {
  readonly decision: Decided['decision'];
  /** From when on it may take effect; before that, nobody can know yet. */
  readonly from: number;
  /**
   * What it waits for besides the time: `none` where nobody can see, a look-up that is `due` or was
   * `silent`, or `blind` where the look-up no longer sees so far back and it waits in vain.
   */
  readonly lookUp: 'none' | 'due' | 'silent' | 'blind';
}

/** The last decision; null where there is none. */
export function lastDecision(journal: Journal): Decision | null {
  return decisionsIn(journal).at(-1) ?? null;
}

function decisionsIn({ observations }: Journal): readonly Decision[] {
  return observations.flatMap(({ source, finding, askedAt }, position) =>
    source === 'operator' && finding.kind === 'decided' ? [{ ...finding, askedAt, position }] : [],
  );
}

/** The last decision that says, in effect, that this attempt had none; a later `applied` revokes it. */
export function decidedAgainst(attempt: Attempt, weighing: Weighing): Decision | null {
  const all = decisionsIn(weighing.journal);
  const standing = all.slice(all.findLastIndex((one) => one.decision === 'applied') + 1);
  const against = standing.filter(
    (one) => attempt.number <= one.attempts && provesNone(one, weighing),
  );
  return against.at(-1) ?? null;
}

/** Whether `not_applied` or `retry` has taken effect. A listed decline shows nothing live either. */
export function provesNone(decision: Decision, weighing: Weighing): boolean {
  if (decision.decision === 'applied') return false;
  if (!isRequest(decision, weighing)) return weighing.now >= countsFrom(decision, weighing);
  const mayStandAlone = decision.override && decision.decision === 'not_applied';
  return lateLookUps(decision, weighing).some(
    ({ finding: { kind } }) =>
      kind === 'absent' || kind === 'rejected' || (mayStandAlone && kind === 'unknown'),
  );
}

/** Whether `applied` counts without evidence of the effect: nobody can be asked, or two persons say so. */
export function provesEffect(decision: Decision, weighing: Weighing): boolean {
  if (decision.decision !== 'applied') return false;
  if (!isRequest(decision, weighing)) return true;
  return (
    decision.override &&
    lateLookUps(decision, weighing).some(
      ({ finding: { kind } }) => kind === 'unknown' || kind === 'absent',
    )
  );
}

/** True where a look-up could still see the first send when the decision was made. */
export function isRequest({ askedAt }: Pick<Decision, 'askedAt'>, weighing: Weighing): boolean {
  return askedAt <= sightEnds(weighing);
}

/** Until when a look-up sees the first send; never where nobody can be asked. */
export function sightEnds({ journal, contract }: Omit<Weighing, 'now'>): number {
  const first = journal.attempts.find((one) => one.effect === 'apply');
  if (contract.lookUp === null || first === undefined) return Number.NEGATIVE_INFINITY;
  const { seesBackMs } = contract.lookUp;
  return seesBackMs === 'forever' ? Number.MAX_SAFE_INTEGER : first.openedAt + seesBackMs;
}

/** When nothing of the attempts it saw can land or come to light any more. */
export function countsFrom(
  { attempts }: Pick<Decision, 'attempts'>,
  { journal, contract }: Weighing,
): number {
  const covered = journal.attempts.filter(
    (one) => one.effect === 'apply' && one.number <= attempts,
  );
  return Math.max(0, ...covered.map((one) => proofTime(one, contract) + 1));
}

/** Our look-ups asked and recorded after the decision, and answered while they still saw so far. */
export function lookUpsAfter(decision: Decision, weighing: Weighing): readonly Observation[] {
  const until = sightEnds(weighing);
  return weighing.journal.observations.filter(
    ({ source, askedAt, observedAt }, position) =>
      source === 'look_up' &&
      position > decision.position &&
      askedAt >= decision.askedAt &&
      observedAt <= until,
  );
}

/** Those of them that were asked past every proof time. */
export function lateLookUps(decision: Decision, weighing: Weighing): readonly Observation[] {
  const from = countsFrom(decision, weighing);
  return lookUpsAfter(decision, weighing).filter((one) => one.askedAt >= from);
}

/** What the decision waits for; asked only of one that has not taken effect. */
export function awaited(decision: Decision, weighing: Weighing): Awaited {
  const { decision: what } = decision;
  const isApplied = what === 'applied';
  const from = isApplied ? decision.askedAt : countsFrom(decision, weighing);
  if (!isRequest(decision, weighing)) return { decision: what, from, lookUp: 'none' };
  if (weighing.now > sightEnds(weighing)) return { decision: what, from, lookUp: 'blind' };
  const asked = (isApplied ? lookUpsAfter : lateLookUps)(decision, weighing);
  return { decision: what, from, lookUp: asked.length === 0 ? 'due' : 'silent' };
}
