/**
 * A decision made while an effect was being undone (rules 8 and 10): it says whether something is live
 * now. `applied` finishes nothing while an undoing may still land.
 */
import {
  type Decision,
  isRequest,
  lastDecision,
  lookUpsAfter,
  sightEnds,
  type Weighing,
} from './decided';
import { type Finding } from './journal';
import { type Situation, type Step } from './step';
import { proofTime } from './times';

/** What an operator's word makes of the undoing; null where it says nothing, or not yet anything. */
export function decidedUndoing(
  situation: Situation,
): 'live' | 'gone' | Extract<Step, { kind: 'wait' | 'look_up' }> | null {
  const { journal, now } = situation;
  const decision = lastDecision(journal);
  const opened = journal.attempts.findLast((one) => one.effect === 'revert')?.openedAt;
  if (decision === null || opened === undefined || decision.askedAt <= opened) return null;
  if (decision.decision === 'retry') return null;
  const from = quietFrom(situation);
  if (!isRequest(decision, situation)) return onWord(decision, { now, from });
  const late = lookUpsAfter(decision, situation).filter((one) => one.askedAt >= from);
  const shows = (kind: Finding['kind']) => late.some((one) => one.finding.kind === kind);
  const isLive = shows('applied') || shows('conflict');
  const stands = decision.override && shows('unknown');
  if (decision.decision === 'applied') {
    // What two persons saw live before it was quiet may have been undone since.
    if (isLive || (stands && decision.askedAt >= from)) return 'live';
  } else if (!isLive && (shows('reverted') || shows('absent') || stands)) return 'gone';
  if (late.length > 0 || now > sightEnds(situation)) return null;
  return now < from ? wait(from) : { kind: 'look_up' };
}

/** From when on nothing of any send, to apply or to undo, can land or come to light. */
function quietFrom({ journal, contract }: Weighing): number {
  return Math.max(...journal.attempts.map((one) => proofTime(one, contract))) + 1;
}

/** Nobody can be asked: what is gone stays gone; what was live then may have been undone since. */
function onWord(
  { decision, askedAt }: Decision,
  { now, from }: { readonly now: number; readonly from: number },
): ReturnType<typeof decidedUndoing> {
  if (decision === 'applied') return askedAt >= from ? 'live' : null;
  return now >= from ? 'gone' : wait(from);
}

function wait(until: number): Extract<Step, { kind: 'wait' }> {
  return {
    kind: 'wait',
    until,
    reason: 'An operator decided about the undoing; waiting for what is still on its way.',
  };
}
