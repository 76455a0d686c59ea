/** What a provider tells after the end: when it is a reason to ask, and until when. */
import { type Finding, type Observation } from '../../domain/journal';
import { type Outcome } from '../../domain/status';
import { isToldOtherwise } from '../../domain/told-after-end';
import {
  APPLIED,
  attempt,
  BLIND,
  DECLINED,
  FULL,
  journal,
  lookUp,
  LOST,
  PENDING,
  seen,
} from '../support/journal-of';

const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };
const CONFLICT: Finding = { kind: 'conflict', what: 'amount is 1, expected 1000' };

const told = (finding: Finding, more: Partial<Observation> = {}): Observation => ({
  ...seen('notification', finding, { attempt: null, asked: 9, at: 9 }),
  ...more,
});
const isAsked = (outcome: Outcome, observations: readonly Observation[], contract = FULL) =>
  isToldOtherwise(outcome, journal([attempt(1, 0)], observations), contract);

it.each<[Outcome, Finding, boolean]>([
  ['succeeded', APPLIED, false],
  ['succeeded', PENDING, false],
  ['succeeded', DECLINED, true],
  ['succeeded', REVERTED, true],
  ['succeeded', CONFLICT, true],
  ['failed', DECLINED, false],
  ['failed', APPLIED, true],
  ['failed', PENDING, true],
  ['canceled', REVERTED, false],
  ['canceled', DECLINED, false],
  ['canceled', APPLIED, true],
])('an intent that %s, told %j: asked about is %s', (outcome, finding, expected) => {
  expect(isAsked(outcome, [told(finding)])).toBe(expected);
});

it('it is asked until an answer comes that was asked for after it', () => {
  expect(isAsked('failed', [lookUp(8, APPLIED), told(APPLIED)])).toBe(true);
  expect(isAsked('failed', [told(APPLIED), lookUp(10, LOST)])).toBe(true);
  expect(isAsked('failed', [told(APPLIED), lookUp(10, { kind: 'absent' })])).toBe(false);
});

it('nobody is asked who cannot be, nor about what is no news', () => {
  expect(isAsked('failed', [told(APPLIED)], BLIND)).toBe(false);
  expect(isAsked('succeeded', [told(DECLINED, { effect: 'revert' })])).toBe(false);
  const refunded = { ...journal([attempt(1, 0)], [told(REVERTED)]), isGivenBack: true as const };
  expect(isToldOtherwise('succeeded', refunded, FULL)).toBe(false);
});
