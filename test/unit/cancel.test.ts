/** Rule 8: what an accepted cancel makes of an intent. */
import { type ProviderContract } from '../../domain/contract';
import { type Journal, type Observation } from '../../domain/journal';
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
  FROZEN,
  FULL,
  journal,
  KEY_ONLY,
  LOOK_UP_ONLY,
  lookUp,
  LOST,
  NOT_SENT,
  PENDING,
} from '../support/journal-of';

const REVERTED = { kind: 'reverted', providerId: 'ch_1' } as const;

/** The first attempt to undo, opened at `second`. */
const undo = (second: number, number = 1) => attempt(number, second, { effect: 'revert' });

function answerToUndo(second: number, finding: Observation['finding'], number = 1): Observation {
  return { ...answer(undo(second, number), second + 0.1, finding), effect: 'revert' };
}

function canceled(of: Journal): Journal {
  return { ...of, cancelRequestedAt: 1_000 };
}

function standingAt(second: number, contract: ProviderContract, of: Journal) {
  return standing(at(second, contract, canceled(of)));
}

it('nothing sent: canceled, and nothing is ever sent', () => {
  expect(standingAt(1, FULL, journal([]))).toMatchObject({ status: 'canceled' });
});

it('not reached: canceled', () => {
  const refused = journal([first], [answer(first, 1, NOT_SENT)]);
  expect(standingAt(1, FULL, refused)).toMatchObject({ status: 'canceled' });
});

it('proven absent: canceled instead of sent again', () => {
  const absent = journal([first], [answer(first, 2, LOST), lookUp(5, ABSENT)]);
  expect(standing(at(5, FULL, absent)).step.kind).toBe('send');
  expect(standingAt(5, FULL, absent)).toMatchObject({ status: 'canceled' });
});

it('rejected: failed, since the provider said no before we could', () => {
  expect(standingAt(1, FULL, journal([first], [answer(first, 1, DECLINED)])).status).toBe('failed');
});

it('a send under way is waited for, not wished away', () => {
  expect(standingAt(1, FULL, journal([first]))).toMatchObject({ status: 'executing' });
});

it('story 13: an unknown is looked up, never repeated under its key', () => {
  const lost = journal([first], [answer(first, 2, LOST)]);
  expect(standing(at(3, KEY_ONLY, lost)).step.kind).toBe('send');
  expect(standingAt(3, KEY_ONLY, lost)).toMatchObject({ status: 'in_review' });
  expect(standingAt(3, BLIND, lost)).toMatchObject({ status: 'in_review' });
  expect(standingAt(3, FULL, lost).step.kind).toBe('look_up');
});

it('a pending charge is looked up until it is known', () => {
  const pending = journal([first], [answer(first, 1, PENDING)]);
  expect(standingAt(1.5, FULL, pending)).toMatchObject({ status: 'pending' });
});

describe('applied', () => {
  const applied = journal([first], [answer(first, 0.5, APPLIED)]);
  const undone = journal([first, undo(1)], [...applied.observations, answerToUndo(1, REVERTED)]);

  it('is undone by an effect of its own', () => {
    expect(standingAt(1, FULL, applied)).toMatchObject({
      status: 'executing',
      step: { kind: 'send', effect: 'revert', number: 1, generation: 1 },
    });
  });

  it('stays applied, too late, where the provider cannot undo it', () => {
    const final = { ...FULL, revert: false };
    expect(standingAt(1, final, applied)).toMatchObject({
      status: 'succeeded',
      reason: expect.stringMatching(/Too late/) as string,
    });
  });

  it('story 15: is canceled only when a look-up past the proof time shows nothing live', () => {
    // Proof time of the send at 0 is 4.5 s.
    expect(standingAt(2, LOOK_UP_ONLY, undone)).toMatchObject({
      step: { kind: 'wait', until: 4_501 },
    });
    const early = { ...undone, observations: [...undone.observations, lookUp(4, REVERTED)] };
    expect(standingAt(4.1, LOOK_UP_ONLY, early).status).toBe('pending');
    const late = { ...undone, observations: [...undone.observations, lookUp(4.6, REVERTED)] };
    expect(standingAt(4.7, LOOK_UP_ONLY, late)).toMatchObject({ status: 'canceled' });
  });

  it('goes to a person if something is still live after it was undone', () => {
    const live = { ...undone, observations: [...undone.observations, lookUp(5, APPLIED)] };
    expect(standingAt(6, LOOK_UP_ONLY, live).status).toBe('pending');
    expect(standingAt(130, LOOK_UP_ONLY, live)).toMatchObject({ status: 'in_review' });
  });

  it('without look-up is canceled once every send is past its quiet time', () => {
    expect(standingAt(3, KEY_ONLY, undone)).toMatchObject({ step: { kind: 'wait', until: 3_501 } });
    expect(standingAt(3.6, KEY_ONLY, undone)).toMatchObject({ status: 'canceled' });
  });

  it('story 17: succeeds, explained, when the provider refuses to undo it', () => {
    const refused = journal([first, undo(1)], [...applied.observations, answerToUndo(1, DECLINED)]);
    expect(standingAt(2, FULL, refused)).toMatchObject({
      status: 'succeeded',
      reason: expect.stringMatching(/refused to undo/) as string,
    });
  });

  it('asks after a lost answer to the undoing, and never says canceled on doubt', () => {
    const lost = journal([first, undo(1)], [...applied.observations, answerToUndo(1, LOST)]);
    expect(standingAt(2, FULL, lost)).toMatchObject({ status: 'unknown' });
    expect(standingAt(130, FULL, lost)).toMatchObject({ status: 'in_review' });
    const found = { ...lost, observations: [...lost.observations, lookUp(9, REVERTED)] };
    expect(standingAt(9, FULL, found)).toMatchObject({ status: 'canceled' });
  });

  it('tries again when a late look-up shows the effect live, under the same key', () => {
    const live = journal(
      [first, undo(1)],
      [...applied.observations, answerToUndo(1, LOST), lookUp(9, APPLIED)],
    );
    expect(standingAt(9, FULL, live).step).toMatchObject({
      kind: 'send',
      effect: 'revert',
      number: 2,
      generation: 1,
    });
  });

  it('story 17: gives up in front of a person when undoing fails three times', () => {
    const attempts = [undo(10), undo(20, 2), undo(30, 3)];
    const shown = [lookUp(16, APPLIED), lookUp(26, APPLIED), lookUp(36, APPLIED)];
    const tired = journal([first, ...attempts], [...applied.observations, ...shown]);
    expect(standingAt(36, FULL, tired)).toMatchObject({ status: 'in_review' });
  });

  it('repeats the undoing under its key where nobody can be asked', () => {
    const lost = journal([first, undo(1)], [...applied.observations, answerToUndo(1, LOST)]);
    expect(standingAt(1.5, KEY_ONLY, lost).step).toMatchObject({ kind: 'send', effect: 'revert' });
    expect(standingAt(1.5, BLIND, lost)).toMatchObject({ status: 'in_review' });
  });

  it('rule 5: an undoing whose error was saved under its key is not repeated', () => {
    const frozen = answerToUndo(1, FROZEN);
    const saved = journal([first, undo(1)], [...applied.observations, frozen]);
    const silent = { ...KEY_ONLY, notifications: false };
    expect(standingAt(1.5, silent, saved)).toMatchObject({ status: 'in_review' });
    const telling = { ...KEY_ONLY, notifications: true };
    expect(standingAt(1.5, telling, saved)).toMatchObject({ status: 'unknown' });
    expect(standingAt(1.5, telling, saved).step.kind).toBe('wait');
    const patience = telling.patienceMs / 1_000;
    expect(standingAt(patience + 2, telling, saved)).toMatchObject({ status: 'in_review' });
  });

  it('a reversal that nobody of us asked for stays a conflict', () => {
    const strange = journal([first], [...applied.observations, lookUp(5, REVERTED)]);
    expect(standingAt(5, FULL, strange)).toMatchObject({ status: 'in_review' });
  });
});
