/** What opens a closed discrepancy again: later evidence against the outcome, and nothing else. */
import { type Finding } from '../../domain/journal';
import { type ClosedCase, isContradictedAnew } from '../../domain/later-contradiction';

const CH_1: Finding = { kind: 'applied', providerId: 'ch_1' };
const CH_2: Finding = { kind: 'applied', providerId: 'ch_2' };
const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };
const ABSENT: Finding = { kind: 'absent' };
const UNKNOWN: Finding = { kind: 'unknown', why: 'timeout', frozen: false };
const CONFLICT: Finding = { kind: 'conflict', what: '2 effects under one reference' };

/** A failed intent, and a notification that it succeeded. */
const FAILED = { status: 'failed', providerId: null, before: [CH_1] } as const;
/** A charge that the provider shows undone. */
const SUCCEEDED = { status: 'succeeded', providerId: 'ch_1', before: [CH_1, REVERTED] } as const;

const anew = (
  about: Pick<ClosedCase, 'status' | 'providerId' | 'before'>,
  closing: ClosedCase['closing'],
  ...after: readonly Finding[]
): boolean => isContradictedAnew({ ...about, closing, after });

it('nothing later opens nothing', () => {
  expect(anew(FAILED, 'outcome_stands')).toBe(false);
  expect(anew(SUCCEEDED, 'evidence_stands')).toBe(false);
});

it.each([
  ['the effect that was said not to be', FAILED, CH_1],
  ['another effect', FAILED, CH_2],
  ['a conflict', FAILED, CONFLICT],
  ['an undoing that was said not to be', SUCCEEDED, REVERTED],
  ['a second effect', SUCCEEDED, CH_2],
  ['an absence of what succeeded', SUCCEEDED, ABSENT],
])('after outcome_stands it is opened by %s', (_title, about, finding) => {
  expect(anew(about, 'outcome_stands', finding)).toBe(true);
});

it.each([
  ['a look-up that finds nothing', FAILED, ABSENT],
  ['a lost answer', FAILED, UNKNOWN],
  ['the known effect', SUCCEEDED, CH_1],
])('after outcome_stands it is not opened by %s', (_title, about, finding) => {
  expect(anew(about, 'outcome_stands', finding)).toBe(false);
});

it('after evidence_stands the same again is no news, in whatever order it is stored', () => {
  const stored = JSON.parse('{"providerId":"ch_1","kind":"applied"}') as Finding;
  expect(anew(FAILED, 'evidence_stands', stored)).toBe(false);
  expect(anew(FAILED, 'evidence_stands', CH_2)).toBe(true);
  expect(anew(SUCCEEDED, 'evidence_stands', REVERTED)).toBe(false);
  expect(anew(SUCCEEDED, 'evidence_stands', CONFLICT)).toBe(true);
});

it('of an outcome that is an operator’s word any one effect is the one that was meant', () => {
  const word = { ...SUCCEEDED, providerId: null };
  expect(anew(word, 'outcome_stands', CH_2)).toBe(false);
});
