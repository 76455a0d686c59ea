/** The explanation lists everything that was sent, the undoing too, each with what is proven of it. */
import { explain } from '../../api/explanation';
import { type Observation } from '../../domain/journal';
import { intentRow } from '../support/intent-row';
import { answer, APPLIED, attempt, FULL, journal, LOST } from '../support/journal-of';

const charge = attempt(1, 0);
const undoing = attempt(1, 5, { effect: 'revert' });
const ofUndoing = (one: Observation): Observation => ({ ...one, effect: 'revert' });

function explained(observations: readonly Observation[]) {
  const of = { ...journal([charge, undoing], observations), cancelRequestedAt: 4_000 };
  const intent = intentRow({ status: 'unknown', contract: FULL });
  return explain({ intent, journal: of, decisions: [], isOperator: true });
}

it('an undoing whose answer was lost is shown as sent, and nothing is proven of it', () => {
  const { attempts, observations } = explained([
    answer(charge, 1, APPLIED),
    ofUndoing(answer(undoing, 6, LOST)),
  ]);
  expect(attempts.map(({ effect, number, proven }) => [effect, number, proven])).toEqual([
    ['apply', 1, null],
    ['revert', 1, null],
  ]);
  expect(attempts[0]?.provider_key).not.toBe(attempts[1]?.provider_key);
  expect(observations.map(({ effect, finding }) => [effect, finding])).toEqual([
    ['apply', 'applied'],
    ['revert', 'unknown'],
  ]);
});

it('one that was answered is proven', () => {
  const reverted = { kind: 'reverted', providerId: 'ch_1' } as const;
  const { attempts } = explained([
    answer(charge, 1, APPLIED),
    ofUndoing(answer(undoing, 6, reverted)),
  ]);
  expect(attempts.at(-1)).toMatchObject({ effect: 'revert', proven: 'applied' });
});
