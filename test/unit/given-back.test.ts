/** A charge that our own refunds took back whole is shown as undone, and that contradicts nothing. */
import { assess } from '../../domain/assess';
import { type Finding, type Journal } from '../../domain/journal';
import { standing } from '../../domain/standing';
import { answer, APPLIED, at, first, FULL, journal, lookUp } from '../support/journal-of';

const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };

function ended(...later: readonly Finding[]): Journal {
  const looks = later.map((finding, index) => lookUp(100 + index, finding));
  return { ...journal([first], [answer(first, 1, APPLIED), ...looks]), status: 'succeeded' };
}

test('reverted, and not by us: a conflict', () => {
  expect(assess(ended(REVERTED), FULL, 200_000)).toMatchObject({
    kind: 'conflict',
    pieces: ['look_up: reverted, and not by us'],
  });
});

test('reverted where refunds of ours leave nothing of it: applied, as it was', () => {
  const refunded: Journal = { ...ended(REVERTED), isGivenBack: true };
  expect(assess(refunded, FULL, 200_000)).toMatchObject({ kind: 'applied', providerId: 'ch_1' });
  expect(standing(at(200, FULL, refunded))).toMatchObject({ status: 'succeeded' });
});

test('refunds of ours explain no second effect and no other amount', () => {
  const other: Finding = { kind: 'conflict', what: 'amount is 1, expected 2' };
  for (const finding of [{ ...REVERTED, providerId: 'ch_2' }, other]) {
    const refunded: Journal = { ...ended(finding), isGivenBack: true };
    expect(assess(refunded, FULL, 200_000).kind).toBe('conflict');
  }
});
