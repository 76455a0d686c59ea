/** Stories that the model checker found, each as one journal; numbers as in docs/decision-rules.md. */
import { type ProviderContract } from '../../domain/contract';
import { type Finding, type Observation } from '../../domain/journal';
import { standing } from '../../domain/standing';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  attempt,
  BLIND,
  DECLINED,
  first,
  journal,
  KEY_ONLY,
  LOOK_UP,
  LOOK_UP_ONLY,
  lookUp,
  lost,
  LOST,
  NOT_SENT,
  PENDING,
  seen,
} from '../support/journal-of';

const undo = attempt(1, 1, { effect: 'revert' });
const REFUSED: Finding = {
  kind: 'not_sent',
  why: 'rate limited (429)',
  retryAfterMs: null,
  answered: true,
};
const REVERTED = { kind: 'reverted', providerId: 'ch_1' } as const;
const REPEATING: ProviderContract = {
  ...LOOK_UP_ONLY,
  send: { ...LOOK_UP_ONLY.send, mayRepeat: true },
};
const WEAK: ProviderContract = {
  ...LOOK_UP_ONLY,
  lookUp: { ...LOOK_UP, absenceIsProof: false },
};

function ofUndo(observation: Observation): Observation {
  return { ...observation, effect: 'revert' };
}

function whenCanceled(contract: ProviderContract, observations: readonly Observation[]) {
  const of = { ...journal([first, undo], observations), cancelRequestedAt: 900 };
  return standing(at(8, contract, of));
}

it('story 20: a miss that was answered when the look-up saw no longer so far back proves nothing', () => {
  const shortSight = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, seesBackMs: 6_000 } };
  const late = seen('look_up', ABSENT, { attempt: null, asked: 5, at: 7 });
  expect(standing(at(7, shortSight, journal([first], [lost, late]))).step.kind).not.toBe('send');
  const inTime = lookUp(5, ABSENT);
  expect(standing(at(7, shortSight, journal([first], [lost, inTime]))).step.kind).toBe('send');
});

it('story 21: a refused undoing of which a copy may still land is no refusal yet', () => {
  const refused = [answer(first, 0.5, APPLIED), ofUndo(answer(undo, 1.1, DECLINED))];
  expect(whenCanceled(LOOK_UP_ONLY, refused).status).toBe('succeeded');
  expect(whenCanceled(REPEATING, refused).status).toBe('unknown');
  const shownLive = [...refused, lookUp(7, APPLIED)];
  expect(whenCanceled(REPEATING, shownLive).status).toBe('succeeded');
});

describe('story 22: a notification is a hint where a look-up exists', () => {
  const hint = (finding: Observation['finding'], second: number) =>
    seen('notification', finding, { attempt: null, asked: second, at: second });

  it('it does not say that an effect is undone', () => {
    const told = [answer(first, 0.5, APPLIED), hint(REVERTED, 2), lookUp(7, ABSENT)];
    expect(whenCanceled(WEAK, told).status).not.toBe('canceled');
  });

  it('it does not take away a proof', () => {
    const proven = [answer(first, 2, LOST), lookUp(5, ABSENT)];
    const told = journal([first], [...proven, hint(PENDING, 5)]);
    expect(standing(at(5, LOOK_UP_ONLY, told)).status).toBe('accepted');
  });
});

it('story 23: a look-up that may hide a second copy does not confirm a cancel', () => {
  const undone = [answer(first, 0.5, APPLIED), ofUndo(answer(undo, 1.1, REVERTED))];
  const copies = { ...WEAK, send: REPEATING.send };
  expect(whenCanceled(WEAK, [...undone, lookUp(7, REVERTED)]).status).toBe('canceled');
  expect(whenCanceled(WEAK, [...undone, lookUp(7, ABSENT)]).status).not.toBe('canceled');
  expect(whenCanceled(copies, [...undone, lookUp(7, REVERTED)]).status).not.toBe('canceled');
  expect(whenCanceled(REPEATING, [...undone, lookUp(7, REVERTED)]).status).toBe('canceled');
});

describe('story 27: what is pending was sent, whatever is proven of the attempts', () => {
  const shown = (observations: readonly Observation[], attempts = [first]) =>
    standing(at(20, LOOK_UP_ONLY, journal(attempts, observations)));
  const lost = answer(first, 2, LOST);

  it.each([
    ['absent', shown([lost, lookUp(5, ABSENT), lookUp(6, PENDING)])],
    ['not sent', shown([answer(first, 0.1, NOT_SENT), lookUp(6, PENDING)])],
    ['declined', shown([answer(first, 0.1, DECLINED), lookUp(6, PENDING)])],
    ['never opened', shown([lookUp(6, PENDING)], [])],
  ])('an attempt that is %s, and then shown as pending, is a conflict', (_proof, standing) => {
    expect(standing).toMatchObject({ belief: { kind: 'conflict' }, status: 'in_review' });
  });

  it('a decline that came after it ends it', () => {
    const declined = [lost, lookUp(3, PENDING), lookUp(6, DECLINED)];
    expect(shown(declined).status).toBe('failed');
    const overlapping = seen('look_up', PENDING, { attempt: null, asked: 1, at: 4 });
    expect(shown([answer(first, 2, DECLINED), overlapping]).status).toBe('failed');
  });

  it('B74: told late, after the decline that followed it, it is no contradiction', () => {
    const notesOnly = { ...BLIND, notifications: true };
    const late = seen('notification', PENDING, { attempt: null, asked: 6, at: 6 });
    const of = journal([first], [answer(first, 2, DECLINED), late]);
    expect(standing(at(20, notesOnly, of)).status).toBe('failed');
  });
});

it('story 28: an effect of an intent for which nothing was sent goes to a person', () => {
  const found = standing(at(6, LOOK_UP_ONLY, journal([], [lookUp(6, APPLIED)])));
  expect(found).toMatchObject({ belief: { kind: 'conflict' }, status: 'in_review' });
});

describe('story 29: a refusal to one copy says nothing about the other', () => {
  const refused = answer(first, 0.1, REFUSED);
  const after = (contract: ProviderContract, observation: Observation) =>
    standing(at(1, contract, journal([first], [observation]))).belief.kind;

  it('it proves that nothing was sent only where nothing repeats requests', () => {
    expect(after(LOOK_UP_ONLY, refused)).toBe('not_applied');
    expect(after(REPEATING, refused)).toBe('doubt');
    expect(after(REPEATING, answer(first, 0.1, NOT_SENT))).toBe('not_applied');
  });

  it('so with an undoing', () => {
    const undone = [answer(first, 0.5, APPLIED), { ...ofUndo(refused), askedAt: 1_000 }];
    expect(whenCanceled(REPEATING, undone).status).toBe('unknown');
    expect(whenCanceled(LOOK_UP_ONLY, undone).step.kind).toBe('send');
  });
});

it('story 30: a refusal that is no decline closes only its own request, a decline all of its key', () => {
  const superseded = { ...first, verdict: 'superseded' } as const;
  const repeat = attempt(2, 3);
  const refused = { kind: 'rejected', code: 'account_closed', declined: false } as const;
  const under = (finding: Observation['finding'], of: typeof repeat = repeat) =>
    standing(
      at(
        of.openedAt / 1_000 + 1,
        KEY_ONLY,
        journal([superseded, of], [answer(first, 2, LOST), answer(of, 4, finding)]),
      ),
    ).status;
  expect(under(refused)).toBe('unknown');
  expect(under(DECLINED)).toBe('failed');
  // Opened when nothing of the first request can land any more (2 s + 0.5 s + 1 s).
  expect(under(refused, attempt(2, 3.6))).toBe('failed');
});

it('story 31: a conflict in the answer to an undoing goes to a person', () => {
  const other = { kind: 'conflict', what: 'another amount was given back' } as const;
  const told = [answer(first, 0.5, APPLIED), ofUndo(answer(undo, 1.1, other))];
  expect(whenCanceled(LOOK_UP_ONLY, told)).toMatchObject({
    belief: { kind: 'conflict', pieces: ['response: another amount was given back'] },
    status: 'in_review',
  });
});

describe('a conflict is told once, and counted as a second effect only where there is one', () => {
  const twice: Finding = { kind: 'conflict', what: '2 refunds under one reference', several: true };
  const other: Finding = { kind: 'conflict', what: 'amount is 1, expected 1000' };
  const conflict = (...observations: readonly Observation[]) =>
    standing(at(9, LOOK_UP_ONLY, journal([first], [answer(first, 2, LOST), ...observations])))
      .belief;

  it.each([
    ['another amount', [lookUp(5, other), lookUp(6, other)], [`look_up: ${other.what}`], false],
    ['two under one reference', [lookUp(5, twice)], [`look_up: ${twice.what}`], true],
    [
      'two ids',
      [lookUp(5, APPLIED), lookUp(6, { kind: 'applied', providerId: 'ch_2' })],
      ['two effects: ch_1 and ch_2'],
      true,
    ],
  ] as const)('%s', (...[, observations, pieces, isDoubled]) => {
    expect(conflict(...observations)).toMatchObject({ kind: 'conflict', pieces, isDoubled });
  });
});
