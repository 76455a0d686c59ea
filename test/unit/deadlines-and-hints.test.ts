/** Rules 1 and 6: the intent's own deadline. Rule 2: a notification makes a look-up due. */
import { type Observation } from '../../domain/journal';
import { standing } from '../../domain/standing';
import { type Situation } from '../../domain/step';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  first,
  FULL,
  journal,
  KEY_ONLY,
  lookUp,
  lost,
  LOST,
  NOT_SENT,
  PENDING,
  seen,
} from '../support/journal-of';

/** With a deadline at 6 s. */
function until6(situation: Situation) {
  return standing({ ...situation, policy: { attemptCap: 3, deadlineMs: 6_000 } });
}

describe('the deadline', () => {
  it('fails what was never sent', () => {
    expect(until6(at(5.9, FULL, journal([]))).step.kind).toBe('send');
    expect(until6(at(6, FULL, journal([])))).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/deadline passed before anything was sent/) as string,
    });
  });

  it('a policy stored without one has none', () => {
    expect(standing(at(1e6, FULL, journal([]))).step.kind).toBe('send');
  });

  it.each([
    ['0 is over at once', 0, 'failed'],
    ['a negative one is over before it began', -1, 'failed'],
    ['a missing one never is', undefined, 'accepted'],
  ])('B33: %s', (_title, deadlineMs, status) => {
    const policy = { attemptCap: 3, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
    expect(standing({ ...at(0, FULL, journal([])), policy }).status).toBe(status);
  });

  it('what was not reached is tried until then, and not after', () => {
    const limited = { ...NOT_SENT, retryAfterMs: 60_000 } as typeof NOT_SENT;
    const refused = journal([first], [answer(first, 1, limited)]);
    expect(until6(at(2, FULL, refused)).step).toMatchObject({ kind: 'wait', until: 6_000 });
    expect(until6(at(6, FULL, refused)).status).toBe('failed');
  });

  it('no attempt follows a proven absence after it', () => {
    const absent = (second: number) => journal([first], [lost, lookUp(second, ABSENT)]);
    expect(until6(at(5, FULL, absent(5))).step.kind).toBe('send');
    expect(until6(at(6, FULL, absent(6))).status).toBe('failed');
  });

  it('no repeat under the key either, and an unknown never fails by it', () => {
    expect(until6(at(5.9, KEY_ONLY, journal([first], [lost]))).step.kind).toBe('send');
    expect(until6(at(6, KEY_ONLY, journal([first], [lost]))).status).toBe('in_review');
    expect(until6(at(7, FULL, journal([first], [lost]))).status).toBe('unknown');
  });

  it('an undoing goes on after it', () => {
    const applied = journal([first], [answer(first, 1, APPLIED)]);
    const canceled = { ...applied, cancelRequestedAt: 900 };
    expect(until6(at(9, FULL, canceled)).step).toMatchObject({ kind: 'send', effect: 'revert' });
  });
});

describe('a notification where a look-up exists', () => {
  const note = (second: number): Observation =>
    seen('notification', APPLIED, { attempt: null, asked: second, at: second });
  const stepAt = (second: number, ...of: readonly Observation[]) =>
    standing(at(second, FULL, journal([first], of))).step;

  it.each([
    ['an unknown', [lost, lookUp(50, LOST)], 50.4],
    ['a pending', [answer(first, 1, PENDING), lookUp(50, PENDING)], 50.4],
  ])('makes a look-up of %s due now', (_title, before, second) => {
    expect(stepAt(second, ...before)).toMatchObject({ kind: 'wait' });
    expect(stepAt(second, ...before, note(second))).toEqual({ kind: 'look_up' });
  });

  it('makes one due in review, a conflict included', () => {
    expect(stepAt(201, lost, lookUp(200, LOST), note(201))).toMatchObject({ lookUpAt: 201_000 });
    const conflict = lookUp(200, { kind: 'conflict', what: 'two effects' });
    expect(stepAt(201, lost, conflict)).toMatchObject({ kind: 'review', lookUpAt: null });
    expect(stepAt(201, lost, conflict, note(201))).toMatchObject({ lookUpAt: 201_000 });
  });

  it('once: the look-up that follows answers it', () => {
    const answered = [lost, lookUp(50, LOST), note(51), lookUp(51.2, LOST)];
    expect(stepAt(52, ...answered)).toMatchObject({ kind: 'wait', until: 52_200 });
  });

  it('a flood gives one look-up for each shortest pause of the schedule', () => {
    const flood = [50.01, 50.02, 50.05, 50.1].map(note);
    expect(stepAt(50.11, lost, lookUp(50, LOST), ...flood)).toMatchObject({ until: 50_200 });
    expect(stepAt(50.2, lost, lookUp(50, LOST), ...flood)).toEqual({ kind: 'look_up' });
  });
});
