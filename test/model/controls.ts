/** Each negative control: what is wrong, in which shape, and which property must break. */
import { type Engine, REAL } from './engine';
import { ON_OPERATORS } from './rules-on-operators';
import { PLANTED } from './rules-planted';
import { TAKEN_OUT, type Wrong } from './rules-taken-out';
import { type Shape, ticks } from './shape';
import { type ShapeName, SHAPES } from './shapes';

export interface Control {
  readonly name: string;
  readonly shape: Shape;
  readonly engine: Engine;
  /** How the counterexample begins. */
  readonly breaks: RegExp;
}

interface Planting {
  readonly shape: ShapeName;
  readonly breaks: RegExp;
  readonly rules?: Wrong;
  readonly engine?: Partial<Engine>;
  readonly provider?: Partial<Shape['provider']>;
  readonly contract?: Partial<Shape['contract']>;
  readonly notes?: Shape['notes'];
  readonly bound?: Partial<Shape['bound']>;
}

/** One operator, who errs or not. */
const DECIDED = { decisions: 1, troubles: 0, cancels: 0 } as const;

function control(name: string, planting: Planting): Control {
  const base = SHAPES[planting.shape];
  return {
    name: `${name} (${planting.shape})`,
    shape: {
      ...base,
      contract: { ...base.contract, ...planting.contract },
      provider: { ...base.provider, ...planting.provider },
      notes: planting.notes ?? base.notes,
      bound: { ...base.bound, cancels: 1, decisions: 0, overrides: 0, ...planting.bound },
    },
    engine: { ...REAL, standing: planting.rules ?? REAL.standing, ...planting.engine },
    breaks: planting.breaks,
  };
}

/** Each clause of the stories taken out, by the story's number. */
export const CLAUSES: readonly Control[] = [
  control('1: `retry` needs no look-up of ours', {
    shape: 'lookup',
    rules: ON_OPERATORS.wordsAreLookUps,
    bound: DECIDED,
    breaks: /^P1/,
  }),
  control('2: notifications are evidence where a look-up exists', {
    shape: 'notes-lookup',
    rules: TAKEN_OUT.hintsAreEvidence,
    breaks: /^P3/,
  }),
  control('3: a miss is dated by when it was recorded', {
    shape: 'lookup',
    rules: TAKEN_OUT.datedByRecording,
    breaks: /^P[12]/,
  }),
  control('4: a miss counts however far back the look-up sees', {
    shape: 'look-back',
    rules: TAKEN_OUT.seesForEver,
    breaks: /^P[12]/,
  }),
  control('5: a repeat may land after the window', {
    shape: 'key',
    rules: TAKEN_OUT.repeatsUntilTheEdge,
    breaks: /^P1/,
  }),
  control('6: a new attempt at the edge of the window', {
    shape: 'dup-full',
    rules: TAKEN_OUT.sendsAtTheEdge,
    breaks: /^P[12]/,
  }),
  control('7: a rejection closes earlier requests although none is saved', {
    shape: 'rej-unsaved',
    rules: TAKEN_OUT.rejectionsAreSaved,
    breaks: /^P2/,
  }),
  control('7: a rejection closes its copies although none is saved', {
    shape: 'dup-lookup',
    rules: TAKEN_OUT.aRejectionIsTheLastWord,
    breaks: /^P2/,
  }),
  control('8: a superseded attempt needs no proof', {
    shape: 'key',
    rules: TAKEN_OUT.supersededIsClosed,
    breaks: /^P2/,
  }),
  control('9: the older attempt is not superseded', {
    shape: 'key',
    engine: { supersedes: false },
    breaks: /^the index/,
  }),
  control('10: a decision counts for attempts that it never saw', {
    shape: 'blind',
    rules: ON_OPERATORS.decisionsSeeLaterAttempts,
    bound: DECIDED,
    breaks: /^P2/,
  }),
  control('11: `applied` ends an intent while an undoing is on its way', {
    shape: 'lookup',
    rules: ON_OPERATORS.appliedEndsAnUndoing,
    bound: { ...DECIDED, cancels: 1 },
    breaks: /^P[37]/,
  }),
  control('12: `applied` needs no look-up of ours', {
    shape: 'lookup',
    rules: ON_OPERATORS.wordsAreLookUps,
    bound: DECIDED,
    breaks: /^P7/,
  }),
  ...(['lookup', 'key'] as const).map((shape) =>
    control('13: attempts go on after a cancel', {
      shape,
      rules: TAKEN_OUT.sendsAfterCancel,
      breaks: /^P5/,
    }),
  ),
  control('14: the permit does not look again under the lock', {
    shape: 'lookup',
    engine: { permitUnderLock: false },
    breaks: /^P5/,
  }),
  control('15: after the undoing it is only waited', {
    shape: 'dup-lookup',
    rules: TAKEN_OUT.onlyWaitsAfterUndoing,
    breaks: /^P2/,
  }),
  ...(['lookup', 'weak-lookup', 'pending'] as const).map((shape) =>
    control('16: patience ends nothing', {
      shape,
      rules: TAKEN_OUT.looksUpForEver,
      breaks: /^P4/,
    }),
  ),
  control('17: an undoing refused or never answered goes on for ever', {
    shape: 'lookup',
    rules: TAKEN_OUT.noEndOfUndoing,
    breaks: /^P4/,
  }),
  control('18: no decision ends a conflict', {
    shape: 'notes-only',
    notes: 'lying',
    rules: ON_OPERATORS.conflictsStay,
    breaks: /^P4/,
  }),
  control('19: a failure notification closes the latest attempt', {
    shape: 'notes-key',
    rules: TAKEN_OUT.failureNoteClosesTheLast,
    breaks: /^P2/,
  }),
  control('20: a miss is taken for answered when it was asked', {
    shape: 'look-back',
    rules: TAKEN_OUT.missesAreAnsweredWhenAsked,
    breaks: /^P[12]/,
  }),
  control('21: a refused undoing is the last word although a copy may land', {
    shape: 'dup-lookup',
    rules: TAKEN_OUT.aRefusedUndoingIsTheLastWord,
    breaks: /^P3/,
  }),
  control('22: a hint says that the effect is undone', {
    shape: 'notes-weak',
    rules: TAKEN_OUT.hintsAreEvidence,
    breaks: /^P2/,
  }),
  control('23: any look-up confirms a cancel', {
    shape: 'dup-weak',
    rules: TAKEN_OUT.anyLookUpConfirmsACancel,
    breaks: /^P2/,
  }),
  control('24: what two persons saw live counts while an undoing may still land', {
    shape: 'lookup',
    rules: ON_OPERATORS.overridesDoNotWait,
    bound: { ...DECIDED, cancels: 1, overrides: 1, applies: 1, ticks: 7 },
    breaks: /^P3/,
  }),
  control('30: a refusal that is no decline is taken for saved', {
    shape: 'refuses',
    rules: TAKEN_OUT.refusalsAreSaved,
    breaks: /^P2/,
  }),
  control('26: a conflict that was judged once is new when it shows again', {
    shape: 'dup-lookup',
    rules: ON_OPERATORS.conflictsReturn,
    breaks: /^P4/,
  }),
  control('29: a copy that was turned away stands for the other one', {
    shape: 'dup-lookup',
    rules: TAKEN_OUT.aRefusalIsOfAllCopies,
    breaks: /^P[12]/,
  }),
];

/** Wrong rules, and contracts that promise too much. */
export const WRONG_RULES: readonly Control[] = [
  control('any miss is proof', {
    shape: 'lookup',
    rules: PLANTED.anyMissIsProof,
    breaks: /^P[12]/,
  }),
  control('`retry` or `not_applied` at once', {
    shape: 'lookup',
    rules: ON_OPERATORS.wordsCountAtOnce,
    bound: DECIDED,
    breaks: /^P[17]/,
  }),
  control('`retry` with a new key', {
    shape: 'key',
    rules: ON_OPERATORS.retriesUnderANewKey,
    bound: DECIDED,
    breaks: /^P1/,
  }),
  control('no deadline', {
    shape: 'deadline',
    rules: ON_OPERATORS.noDeadline,
    breaks: /^P5: a send is permitted after the deadline/,
  }),
  control('no horizon', { shape: 'lookup', rules: PLANTED.noHorizon, breaks: /^P[12]/ }),
  control('no lag', { shape: 'lookup', rules: PLANTED.noLag, breaks: /^P[12]/ }),
  control('a new key after a saved error', {
    shape: 'frozen',
    rules: PLANTED.newKeyAfterASavedError,
    breaks: /^P1/,
  }),
  control('cancel without asking', {
    shape: 'lookup',
    rules: PLANTED.cancelWithoutAsking,
    breaks: /^P2/,
  }),
  control('a time-out is failed', {
    shape: 'lookup',
    rules: PLANTED.timeoutIsFailed,
    breaks: /^P2/,
  }),
  control('canceled as soon as the undoing is answered', {
    shape: 'dup-lookup',
    rules: PLANTED.undoneIsCanceledAtOnce,
    breaks: /^P2/,
  }),
  control('a new key on every attempt', {
    shape: 'key',
    rules: PLANTED.newKeyEveryAttempt,
    breaks: /^P1/,
  }),
  control('a second run sends the open attempt again', {
    shape: 'lookup',
    engine: { resendsOpen: true },
    breaks: /^P[12]/,
  }),
  control('patience is failed', {
    shape: 'weak-lookup',
    rules: PLANTED.patienceIsFailed,
    breaks: /^P2/,
  }),
  control('pending is success', {
    shape: 'pending',
    rules: PLANTED.pendingIsSuccess,
    breaks: /^P3/,
  }),
  control('send while unknown', {
    shape: 'lookup',
    rules: PLANTED.sendWhileUnknown,
    breaks: /^P1/,
  }),
  control('an unanswered undoing is canceled', {
    shape: 'lookup',
    rules: PLANTED.unansweredUndoingIsCanceled,
    breaks: /^P2/,
  }),
  control('contract: bytes leave later than the fence guard', {
    shape: 'lookup',
    provider: { slipMs: ticks(2) },
    breaks: /^P[12]/,
  }),
  control('contract: absence taken for proof where it is none', {
    shape: 'weak-lookup',
    rules: PLANTED.absenceIsProof,
    breaks: /^P[12]/,
  }),
];
