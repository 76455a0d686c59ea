/** Which decisions are refused, and that each refusal names the next legal step (rule 10). */
import { decisionRefusal, legalDecisions } from '../../domain/decision';
import { type DecisionKind, type Observation } from '../../domain/journal';
import { type Situation } from '../../domain/step';
import {
  answer,
  APPLIED,
  at,
  BLIND,
  decided,
  first,
  FROZEN,
  FULL,
  journal,
  KEY,
  KEY_ONLY,
  LOOK_UP,
  LOOK_UP_ONLY,
  lookUp,
  lost,
  lostAt,
  NOT_SENT,
  PENDING,
} from '../support/journal-of';

const HOURS = 3_600;

function refusal(decision: DecisionKind, situation: Situation, override = false) {
  return decisionRefusal({ decision, override }, situation);
}

const sent = (...seen: readonly Observation[]) => journal([first], seen);

it('everything is legal in doubt', () => {
  expect(legalDecisions(lostAt(3, FULL))).toEqual(['applied', 'not_applied', 'retry']);
  expect(legalDecisions(lostAt(130, FULL))).toEqual(['applied', 'not_applied', 'retry']);
});

it.each([
  ['nothing sent', at(0, FULL, journal([])), /nothing to decide; wait, or cancel/],
  ['not reached', at(1, FULL, sent(answer(first, 1, NOT_SENT))), /nothing to decide/],
  ['a send under way', at(1, FULL, journal([first])), /under way; wait/],
  ['pending', at(2, FULL, sent(answer(first, 1, PENDING))), /answers later; wait/],
])('%s: refused, with what to do instead', (_title, situation, detail) => {
  expect(refusal('applied', situation)).toEqual({
    code: 'decision-not-legal',
    detail: expect.stringMatching(detail) as string,
  });
  expect(legalDecisions(situation)).toEqual([]);
});

it('too late once the outcome is proven or recorded', () => {
  const proven = at(2, FULL, sent(answer(first, 1, APPLIED)));
  expect(refusal('not_applied', proven)).toMatchObject({ code: 'too-late', detail: /refund/ });
  const recorded = lostAt(3, FULL);
  const ended = { ...recorded, journal: { ...recorded.journal, status: 'failed' as const } };
  expect(refusal('applied', ended)?.code).toBe('too-late');
});

describe('retry', () => {
  it.each([
    ['in a conflict', lostAt(5, FULL, lookUp(5, { kind: 'conflict', what: 'two' })), /contradicts/],
    [
      'after an accepted cancel',
      at(5, FULL, { ...sent(lost), cancelRequestedAt: 1_000 }),
      /cancel was accepted/,
    ],
    [
      'when the cap is reached',
      { ...lostAt(5, FULL), policy: { attemptCap: 1 } },
      /1 attempts are used up/,
    ],
    [
      'past the deadline',
      { ...lostAt(3, FULL), policy: { attemptCap: 3, deadlineMs: 4_000 } },
      /deadline/,
    ],
    ['B60: when the key window has passed', lostAt(30 * HOURS, FULL), /no longer protects/],
    ['B60: nor where nobody can be asked', lostAt(30 * HOURS, KEY_ONLY), /no longer protects/],
    [
      'under a window that nobody knows',
      lostAt(5, { ...KEY_ONLY, key: { ...KEY, windowMs: 'unpublished' } }),
      /no longer protects/,
    ],
    [
      'past the look-back',
      lostAt(9, { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, seesBackMs: 8_000 } }),
      /no longer sees/,
    ],
    [
      'after an error saved under the key',
      at(5, KEY_ONLY, sent(answer(first, 1, FROZEN))),
      /saved an error/,
    ],
    ['of what was pending', at(130, FULL, sent(answer(first, 1, PENDING))), /pending/],
  ])('%s is refused; the rest is not', (_title, situation, detail) => {
    const refused = refusal('retry', situation);
    expect(refused).toMatchObject({ code: 'decision-not-legal' });
    expect(refused?.detail).toMatch(detail);
    expect(refused?.detail).toMatch(/decide applied or not_applied/);
    expect(legalDecisions(situation)).toEqual(['applied', 'not_applied']);
  });

  it('is legal on the word alone only where there is neither key nor look-up', () => {
    expect(refusal('retry', lostAt(30 * HOURS, BLIND))).toBeNull();
    expect(refusal('retry', lostAt(30 * HOURS, LOOK_UP_ONLY))).toBeNull();
  });

  it('is never legal as an override', () => {
    expect(refusal('retry', lostAt(5, FULL), true)?.detail).toMatch(/never permits a send/);
  });
});

describe('B127: while a decision waits for our look-up', () => {
  const waiting = lostAt(4, FULL, decided(3, 'not_applied'));

  it('a contradicting one is refused, the same one is not', () => {
    expect(refusal('applied', waiting)?.detail).toMatch(/decided not applied before/);
    expect(refusal('retry', waiting)).not.toBeNull();
    expect(refusal('not_applied', waiting)).toBeNull();
    expect(legalDecisions(waiting)).toEqual(['not_applied']);
  });

  it('two persons may override it', () => {
    expect(refusal('applied', waiting, true)).toBeNull();
  });

  it('after a conflict another one is legal', () => {
    const conflict = lostAt(6, FULL, decided(3, 'not_applied'), lookUp(5, APPLIED));
    expect(legalDecisions(conflict)).toEqual(['applied', 'not_applied']);
  });

  it('and when it waits in vain, past the look-back', () => {
    const short = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, seesBackMs: 8_000 } };
    expect(refusal('applied', lostAt(9, short, decided(7, 'not_applied')))).toBeNull();
  });
});
