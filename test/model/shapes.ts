/** The shapes of providers that are explored: those of the stories, and some of their combinations. */
import {
  type KeyContract,
  type LookUpContract,
  type ProviderContract,
} from '../../domain/contract';
import { type Behaviour, type Bound, type Shape, ticks } from './shape';

/** Last repeat at tick 5, forgotten from tick 9 (of the first landing). */
const KEY: KeyContract = {
  maxBytes: 255,
  alphabet: '!-~',
  scope: 'account',
  onMismatch: 'refuses',
  windowMs: ticks(9),
  savesRejections: true,
};

/** Asked at tick 3, when the request may still land, and at tick 5, where a miss is proof. */
const LOOK_UP: LookUpContract = {
  by: 'reference',
  lagMs: ticks(1),
  absenceIsProof: true,
  seesBackMs: 'forever',
  scheduleMs: [ticks(2)],
};

/** Send over at tick 1, quiet at tick 3, proof at tick 4, patience until tick 7. */
const FULL: ProviderContract = {
  version: 1,
  key: KEY,
  reference: { maxBytes: 255, alphabet: '!-~' },
  lookUp: LOOK_UP,
  send: { budgetMs: ticks(1), horizonMs: ticks(1), mayRepeat: false },
  notifications: false,
  revert: true,
  patienceMs: ticks(7),
};

const HONEST: Behaviour = {
  declines: true,
  refuses: false,
  listsDeclines: true,
  pends: false,
  freezes: false,
  refusesVoids: true,
  hides: false,
  slipMs: 0,
};

const BOUND: Bound = {
  troubles: 1,
  ticks: 10,
  applies: 2,
  reverts: 1,
  lookUps: 2,
  notes: 1,
  cancels: 0,
  stalls: 1,
  outages: 1,
  lateAnswers: 1,
  slowLookUps: 1,
  decisions: 0,
  overrides: 0,
};

/**
 * The bounds to which every shape is explored: a trouble without a cancel, a cancel without trouble,
 * and both in a shorter story; where a shape says so, an operator without either, and one with a
 * cancel, who may have a second person's approval. On demand (MODEL_DEPTH=deep) larger ones.
 */
export function boundsOf({ bound: most }: Shape, isDeep: boolean): readonly Bound[] {
  const bound = { ...most, decisions: 0, overrides: 0 };
  const shorter = { ...most, ticks: Math.min(most.ticks, 7), applies: 1, stalls: 0 };
  const operators: readonly Bound[] =
    most.decisions === 0
      ? []
      : [
          { ...most, troubles: 0, overrides: 0 },
          { ...shorter, troubles: 0, cancels: 1 },
        ];
  if (isDeep)
    return [
      { ...bound, troubles: 2 },
      { ...bound, cancels: 1 },
      { ...shorter, decisions: 1, overrides: 1 },
      { ...most, troubles: 0, cancels: 1, decisions: 1, overrides: 1 },
    ];
  return [
    bound,
    { ...bound, troubles: 0, cancels: 1 },
    { ...bound, cancels: 1, ticks: Math.min(bound.ticks, 7) - 1, applies: 1, lookUps: 1 },
    ...operators,
  ];
}

/** Copies and hidden charges multiply the states: shorter stories, and frozen runs elsewhere. */
const SHORTER: Partial<Bound> = { ticks: 6, stalls: 0 };
/** A run that comes back under the lock asks for nothing new; a few shapes are enough to show it. */
const AWAKE: Partial<Bound> = { stalls: 0 };

/** Where an operator decides, and errs: a person meets few shapes that these do not hold. */
const OPERATORS: Partial<Bound> = { decisions: 1, overrides: 1 };

interface Parts {
  readonly contract?: Partial<ProviderContract>;
  readonly provider?: Partial<Behaviour>;
  readonly notes?: Shape['notes'];
  readonly deadlineMs?: number;
  readonly bound?: Partial<Bound>;
}

function shape(name: string, parts: Parts): Shape {
  const { contract, provider, notes = 'none', deadlineMs = null, bound } = parts;
  return {
    name,
    contract: { ...FULL, notifications: notes !== 'none', ...contract },
    provider: { ...HONEST, ...provider },
    notes,
    deadlineMs,
    bound: { ...BOUND, notes: notes === 'none' ? 0 : 1, ...bound },
  };
}

/** Without refusals to undo: `dup-lookup` shows those. */
const YIELDS: Partial<Behaviour> = { refusesVoids: false };
const DUP = { send: { ...FULL.send, mayRepeat: true } };
const WEAK = { lookUp: { ...LOOK_UP, absenceIsProof: false } };
const NO_LOOK_UP = { lookUp: null };
const NO_KEY = { key: null };
const UNSAVED = { key: { ...KEY, savesRejections: false } };

export const SHAPES = {
  full: shape('full', {}),
  lookup: shape('lookup', { bound: OPERATORS, contract: NO_KEY }),
  key: shape('key', { bound: OPERATORS, contract: NO_LOOK_UP }),
  blind: shape('blind', { bound: OPERATORS, contract: { ...NO_LOOK_UP, ...NO_KEY } }),
  'weak-lookup': shape('weak-lookup', {
    bound: OPERATORS,
    contract: { ...WEAK, ...NO_KEY },
    provider: { hides: true },
  }),
  'weak-lookup-key': shape('weak-lookup-key', {
    bound: SHORTER,
    contract: WEAK,
    provider: { hides: true },
  }),
  'look-back': shape('look-back', {
    bound: OPERATORS,
    contract: { ...NO_KEY, lookUp: { ...LOOK_UP, seesBackMs: ticks(6) } },
  }),
  frozen: shape('frozen', {
    bound: AWAKE,
    provider: { ...YIELDS, freezes: true, declines: false },
  }),
  'frozen-key': shape('frozen-key', {
    bound: AWAKE,
    contract: NO_LOOK_UP,
    provider: { freezes: true },
  }),
  pending: shape('pending', { bound: AWAKE, contract: NO_KEY, provider: { pends: true } }),
  'rej-unsaved': shape('rej-unsaved', { contract: { ...NO_LOOK_UP, ...UNSAVED } }),
  // Declines are saved under the key, refusals are not: an account that is closed for a moment.
  refuses: shape('refuses', {
    bound: AWAKE,
    contract: NO_LOOK_UP,
    provider: { refuses: true },
  }),
  // An operator beside copies is a million states: explored on demand (MODEL_DEPTH=deep).
  'dup-lookup': shape('dup-lookup', { bound: SHORTER, contract: { ...NO_KEY, ...DUP } }),
  'dup-key': shape('dup-key', { bound: AWAKE, contract: { ...NO_LOOK_UP, ...DUP } }),
  'dup-full': shape('dup-full', {
    bound: AWAKE,
    contract: DUP,
    provider: { listsDeclines: false },
  }),
  'dup-unsaved': shape('dup-unsaved', {
    provider: YIELDS,
    bound: SHORTER,
    contract: { ...NO_LOOK_UP, ...UNSAVED, ...DUP },
  }),
  'dup-weak': shape('dup-weak', {
    bound: SHORTER,
    contract: { ...NO_KEY, ...WEAK, ...DUP },
    provider: { ...YIELDS, hides: true },
  }),
  'dup-look-back': shape('dup-look-back', {
    provider: YIELDS,
    bound: SHORTER,
    contract: { ...NO_KEY, ...DUP, lookUp: { ...LOOK_UP, seesBackMs: ticks(6) } },
  }),
  'notes-lookup': shape('notes-lookup', { bound: AWAKE, contract: NO_KEY, notes: 'lying' }),
  'notes-weak': shape('notes-weak', {
    bound: AWAKE,
    contract: { ...NO_KEY, ...WEAK },
    provider: { hides: true },
    notes: 'lying',
  }),
  'notes-only': shape('notes-only', {
    bound: OPERATORS,
    contract: { ...NO_LOOK_UP, ...NO_KEY },
    notes: 'true',
  }),
  'notes-key': shape('notes-key', {
    bound: AWAKE,
    contract: { ...NO_LOOK_UP, ...UNSAVED },
    notes: 'true',
  }),
  // A miss is proof at tick 5, and a second attempt would be too late.
  deadline: shape('deadline', { contract: NO_KEY, deadlineMs: ticks(5) }),
  'no-revert': shape('no-revert', { contract: { ...NO_KEY, revert: false } }),
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof SHAPES;
