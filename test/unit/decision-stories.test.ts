/** Stories that the model checker found, each as one journal; numbers as in docs/decision-rules.md. */
import { type ProviderContract } from '../../domain/contract';
import { type Observation } from '../../domain/journal';
import { standing } from '../../domain/standing';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  attempt,
  DECLINED,
  journal,
  KEY_ONLY,
  LOOK_UP,
  LOOK_UP_ONLY,
  lookUp,
  LOST,
  PENDING,
  seen,
} from '../support/journal-of';

const first = attempt(1, 0);
const undo = attempt(1, 1, { effect: 'revert' });
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
  const lost = answer(first, 2, LOST);
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

it('story 27: a refusal that is no decline closes only its own request, a decline all of its key', () => {
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
