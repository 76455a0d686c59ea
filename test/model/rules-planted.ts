/** Negative controls: wrong rules that somebody might find reasonable, planted over the real ones. */
import { assessRevert } from '../../domain/assess-revert';
import { nextAttempt } from '../../domain/send-step';
import { proofTime } from '../../domain/times';
import { believing, ends, reading, stepping, type Wrong } from './rules-taken-out';

/** The wrong rules by name. */
export const PLANTED = {
  anyMissIsProof: reading((one, { journal, contract }) => {
    const last = journal.attempts.findLast((attempt) => attempt.openedAt <= one.askedAt);
    if (last === undefined || one.finding.kind !== 'absent') return one;
    return { ...one, askedAt: Math.max(one.askedAt, proofTime(last, contract) + 1) };
  }),
  noHorizon: believing((contract) => ({ ...contract, send: { ...contract.send, horizonMs: 0 } })),
  noLag: believing((contract) => ({
    ...contract,
    lookUp: contract.lookUp && { ...contract.lookUp, lagMs: 0 },
  })),
  newKeyAfterASavedError: stepping(({ belief }, situation) => {
    if (belief.kind !== 'doubt' || !belief.frozen) return null;
    const send = nextAttempt(belief.attempts, situation);
    return { ...send, generation: send.generation + 1 };
  }),
  cancelWithoutAsking: stepping(({ belief }, { journal }) =>
    belief.kind === 'doubt' && journal.cancelRequestedAt !== null ? ends('canceled') : null,
  ),
  timeoutIsFailed: stepping(({ belief }) => (belief.kind === 'doubt' ? ends('failed') : null)),
  undoneIsCanceledAtOnce: stepping(({ belief }, { journal, contract, now }) =>
    belief.kind === 'applied' && assessRevert(journal, contract, now).kind === 'done'
      ? ends('canceled')
      : null,
  ),
  newKeyEveryAttempt: stepping(({ step }) =>
    step.kind === 'send' && step.generation !== step.number
      ? { ...step, generation: step.number }
      : null,
  ),
  patienceIsFailed: stepping(({ belief, step }) =>
    belief.kind === 'doubt' && step.kind === 'review' ? ends('failed') : null,
  ),
  pendingIsSuccess: stepping(({ belief }) =>
    belief.kind === 'pending' ? ends('succeeded') : null,
  ),
  sendWhileUnknown: stepping(({ belief }, situation) =>
    belief.kind === 'doubt' ? nextAttempt(belief.attempts, situation) : null,
  ),
  unansweredUndoingIsCanceled: stepping(({ belief }, { journal, contract, now }) =>
    belief.kind === 'applied' && assessRevert(journal, contract, now).kind === 'doubt'
      ? ends('canceled')
      : null,
  ),
  absenceIsProof: believing((contract) => ({
    ...contract,
    lookUp: contract.lookUp && { ...contract.lookUp, absenceIsProof: true },
  })),
} as const satisfies Record<string, Wrong>;
