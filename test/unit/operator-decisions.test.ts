/** Rule 10: what an operator's decision makes of an intent; rule 9: how one ends a conflict. */
import { type ProviderContract } from '../../domain/contract';
import { type Observation } from '../../domain/journal';
import { standing } from '../../domain/standing';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  attempt,
  BLIND,
  decided,
  DECLINED,
  first,
  FULL,
  journal,
  KEY,
  KEY_ONLY,
  LOOK_UP,
  LOOK_UP_ONLY,
  lookUp,
  LOST,
  lost,
  lostAt,
  NOT_SENT,
  PENDING,
  seen,
} from '../support/journal-of';

const undo = attempt(1, 1, { effect: 'revert' });
const WEAK = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, absenceIsProof: false } };
const SHORT_SIGHT = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, seesBackMs: 60_000 } };

function after(second: number, contract: ProviderContract, ...more: readonly Observation[]) {
  return standing(lostAt(second, contract, ...more));
}

/** Canceled at 0.9 s; the charge was applied, its undoing is not answered. */
function undoing(second: number, contract: ProviderContract, ...more: readonly Observation[]) {
  const of = journal([first, undo], [answer(first, 0.5, APPLIED), ...more]);
  return standing(at(second, contract, { ...of, cancelRequestedAt: 900 }));
}

// Of an attempt opened at 0 nothing lands after 3.5 s; a look-up proves from 4.5 s on.
describe('rule 10: where a look-up sees, a decision is a request', () => {
  it.each(['not_applied', 'retry'] as const)('%s waits for our own late look-up', (decision) => {
    expect(after(3, FULL, decided(3, decision))).toMatchObject({
      status: 'unknown',
      step: { kind: 'wait', until: 4_501 },
    });
    expect(after(4.6, FULL, decided(3, decision))).toMatchObject({ step: { kind: 'look_up' } });
    expect(after(200, FULL, decided(200, decision)).step.kind).toBe('look_up');
  });

  it('says that it waits, and for what', () => {
    expect(after(3, FULL, decided(3, 'retry')).reason).toMatch(/decided retry.*asked once/);
    expect(after(5, FULL, decided(3, 'retry')).reason).toMatch(/decided retry; asking/);
  });

  it('not_applied fails, retry sends, when the look-up finds nothing', () => {
    const miss = lookUp(5, ABSENT);
    expect(after(5, FULL, decided(3, 'not_applied'), miss).status).toBe('failed');
    expect(after(5, FULL, decided(3, 'retry'), miss).step).toMatchObject({
      kind: 'send',
      number: 2,
    });
    expect(after(5, WEAK, decided(3, 'not_applied'), miss).status).toBe('failed');
    expect(after(5, WEAK, miss).status).toBe('unknown');
  });

  it('a look-up asked before the decision confirms nothing', () => {
    expect(after(6, WEAK, lookUp(5, ABSENT), decided(6, 'not_applied')).step.kind).toBe('look_up');
  });

  it('applied is looked up at once and ends with a look-up that finds it', () => {
    expect(after(3, FULL, decided(3, 'applied')).step.kind).toBe('look_up');
    expect(after(3.1, FULL, decided(3, 'applied'), lookUp(3.1, APPLIED)).status).toBe('succeeded');
  });

  it.each([
    ['not_applied', APPLIED],
    ['retry', APPLIED],
    ['applied', ABSENT],
  ] as const)('%s against a look-up that says otherwise is a conflict', (decision, finding) => {
    const conflict = after(5, FULL, decided(3, decision), lookUp(5, finding));
    expect(conflict).toMatchObject({ status: 'in_review', belief: { kind: 'conflict' } });
    expect(conflict.reason).toMatch(/an operator says/);
  });

  it('goes back to review, and is asked further, when the look-up stays silent', () => {
    expect(after(201, FULL, decided(200, 'not_applied'), lookUp(200.5, LOST))).toMatchObject({
      status: 'in_review',
      step: { lookUpAt: 205_500 },
    });
  });

  it('nothing is sent while a decision waits, repeats under the key included', () => {
    const weakKey = { ...FULL, lookUp: { ...LOOK_UP, absenceIsProof: false } };
    const early = lookUp(2.2, LOST);
    expect(after(3, weakKey, early).step.kind).toBe('send');
    expect(after(3, weakKey, early, decided(3, 'not_applied')).step.kind).toBe('wait');
  });
});

describe('rule 10: where none can see, the word counts', () => {
  it('not_applied and retry from the proof time on', () => {
    expect(after(3, BLIND, decided(3, 'not_applied')).step).toMatchObject({ until: 3_501 });
    expect(after(4, BLIND, decided(3, 'not_applied')).status).toBe('failed');
    expect(after(4, BLIND, decided(3, 'retry')).step).toMatchObject({ kind: 'send', number: 2 });
  });

  it('B60: a retry decided inside the key window is not sent outside it', () => {
    // The whole repeat fits into the window of 10 s until 6.5 s.
    const short = { ...KEY_ONLY, key: { ...KEY, windowMs: 10_000 } };
    expect(after(6, short, decided(6, 'retry')).step).toMatchObject({ kind: 'send', number: 2 });
    expect(after(7, short, decided(6, 'retry'))).toMatchObject({
      status: 'in_review',
      reason: expect.stringMatching(/no longer protects/) as string,
    });
  });

  it('applied at once, without an id of the provider', () => {
    expect(after(3, BLIND, decided(3, 'applied'))).toMatchObject({
      status: 'succeeded',
      belief: { kind: 'applied', providerId: null },
    });
  });

  it('applied keeps the id under which the provider had it pending', () => {
    const pending = seen('notification', PENDING, { attempt: null, asked: 2.5, at: 2.5 });
    const notes = { ...BLIND, notifications: true };
    expect(after(3, notes, pending, decided(3, 'applied')).belief).toMatchObject({
      providerId: 'ch_1',
    });
  });

  it('after an accepted cancel not_applied is canceled, applied too late to undo', () => {
    const canceled = (decision: Observation) =>
      standing(at(4, BLIND, { ...journal([first], [lost, decision]), cancelRequestedAt: 900 }));
    expect(canceled(decided(3, 'not_applied')).status).toBe('canceled');
    expect(canceled(decided(3, 'applied'))).toMatchObject({ status: 'succeeded' });
  });

  it('made when the look-up still saw, it does not count because it sees no longer', () => {
    expect(after(61, SHORT_SIGHT, decided(59, 'not_applied'), lookUp(59.5, LOST)).status).toBe(
      'unknown',
    );
    expect(after(62, SHORT_SIGHT, decided(61, 'not_applied')).status).toBe('failed');
  });

  it('a late answer against it is a conflict', () => {
    const late = answer(first, 3.2, APPLIED);
    const both = standing(at(4, BLIND, journal([first], [decided(3, 'retry'), late])));
    expect(both.belief.kind).toBe('conflict');
  });
});

describe('rule 10: the attempts that it saw', () => {
  const second = attempt(2, 5);

  it('story 10: a decision says nothing of an attempt opened after it', () => {
    const of = journal([first, second], [lost, decided(4, 'retry'), answer(second, 7, LOST)]);
    expect(standing(at(20, BLIND, of))).toMatchObject({ status: 'in_review' });
  });

  it('nor is a later effect a contradiction', () => {
    const of = journal([first, second], [lost, decided(4, 'retry'), answer(second, 6, APPLIED)]);
    expect(standing(at(6, BLIND, of)).status).toBe('succeeded');
  });

  it('a later applied takes an earlier retry back', () => {
    const of = [lost, decided(4, 'retry'), answer(second, 7, LOST)];
    const both = journal([first, second], [...of, decided(9, 'applied', { attempts: 2 })]);
    expect(standing(at(9, BLIND, both)).status).toBe('succeeded');
  });
});

describe('rule 10: two persons against a silent look-up', () => {
  const two = { override: true };

  it.each([
    ['applied', 'succeeded'],
    ['not_applied', 'failed'],
  ] as const)('%s ends it: %s', (decision, status) => {
    expect(after(10, FULL, decided(10, decision, two)).step.kind).toBe('look_up');
    expect(after(11, FULL, decided(10, decision, two), lookUp(10.5, LOST)).status).toBe(status);
  });

  it('never permits a send', () => {
    const silent = after(11, LOOK_UP_ONLY, decided(10, 'retry', two), lookUp(10.5, LOST));
    expect(silent.step.kind).not.toBe('send');
  });

  it('against one that spoke it is a conflict', () => {
    const spoke = after(11, FULL, decided(10, 'not_applied', two), lookUp(10.5, APPLIED));
    expect(spoke.belief.kind).toBe('conflict');
  });
});

describe('rules 8 and 10: while an undoing may still land', () => {
  // Of the undoing opened at 1 nothing lands after 4.5 s.
  it('story 11: applied finishes nothing', () => {
    expect(undoing(3.2, KEY_ONLY, decided(3.1, 'applied')).status).not.toBe('succeeded');
    expect(undoing(200, KEY_ONLY, decided(3.1, 'applied')).status).toBe('in_review');
  });

  it('said when all is quiet it ends the cancel as too late', () => {
    expect(undoing(200, KEY_ONLY, decided(200, 'applied')).status).toBe('succeeded');
  });

  it('not_applied says that nothing is live: canceled once all is quiet', () => {
    expect(undoing(3.2, KEY_ONLY, decided(3.1, 'not_applied')).step).toMatchObject({
      until: 4_501,
    });
    expect(undoing(5, KEY_ONLY, decided(3.1, 'not_applied')).status).toBe('canceled');
  });

  it('where a look-up sees it must agree', () => {
    expect(undoing(6, FULL, decided(6, 'not_applied')).step.kind).toBe('look_up');
    const reverted = lookUp(6.1, { kind: 'reverted', providerId: 'ch_1' });
    expect(undoing(6.2, FULL, decided(6, 'not_applied'), reverted).status).toBe('canceled');
    expect(undoing(6.2, FULL, decided(6, 'not_applied'), lookUp(6.1, APPLIED)).status).not.toBe(
      'canceled',
    );
  });

  it('story 24: what two persons saw before it was quiet does not end it', () => {
    const early = decided(3, 'applied', { override: true });
    expect(undoing(7, FULL, early, lookUp(6.1, LOST)).status).not.toBe('succeeded');
    const late = decided(6, 'applied', { override: true });
    expect(undoing(7, FULL, late, lookUp(6.1, LOST)).status).toBe('succeeded');
  });

  it('story 25: past the look-back it asks no further', () => {
    const asked = undoing(70, SHORT_SIGHT, decided(3, 'applied'), lookUp(69.9, LOST));
    expect(asked.step).toMatchObject({ kind: 'wait', until: 70_400 });
  });
});

describe('rule 9: a decision made after a conflict ends it', () => {
  const differs = lookUp(5, { kind: 'conflict', what: 'amount is 999' });
  const note = (finding: Observation['finding'], second: number) =>
    seen('notification', finding, { attempt: null, asked: second, at: second });
  const NOTES = { ...BLIND, notifications: true };

  it('story 18: two notifications that exclude each other', () => {
    const told = [note(DECLINED, 3), note(APPLIED, 4)];
    expect(after(5, NOTES, ...told).belief.kind).toBe('conflict');
    expect(after(9, NOTES, ...told, decided(9, 'applied')).status).toBe('succeeded');
    expect(after(9, NOTES, ...told, decided(9, 'not_applied')).status).toBe('failed');
  });

  it('a decision made before it does not', () => {
    expect(after(9, FULL, decided(4, 'applied'), differs).belief.kind).toBe('conflict');
  });

  it('where a look-up sees it must agree: the same difference agrees with applied', () => {
    const again = lookUp(9.1, differs.finding);
    expect(after(9, FULL, differs, decided(9, 'applied')).step.kind).toBe('look_up');
    expect(after(9.2, FULL, differs, decided(9, 'applied'), again).status).toBe('succeeded');
    expect(after(9.2, FULL, differs, decided(9, 'not_applied'), again)).toMatchObject({
      status: 'in_review',
      belief: { kind: 'conflict' },
    });
    const gone = lookUp(9.1, ABSENT);
    expect(after(9.2, FULL, differs, decided(9, 'not_applied'), gone).status).toBe('failed');
  });

  it('story 26: judged once it is no new conflict for a second decision', () => {
    const again = [lookUp(9.1, LOST), decided(10, 'applied'), lookUp(10.1, differs.finding)];
    expect(after(11, FULL, differs, decided(9, 'applied'), ...again).status).toBe('succeeded');
  });
});

it('a decision does not reach an intent whose attempts are all proven', () => {
  const of = journal([first], [answer(first, 2, NOT_SENT), decided(1, 'applied')]);
  expect(standing(at(5, FULL, of)).belief.kind).toBe('conflict');
});
