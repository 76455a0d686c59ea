/** What of a provider's listing does not fit our own books. */
import { type KnownIntent, misfitOf } from '../../domain/listed-effect';
import { type Told } from '../../domain/told-effect';

const INTENT: KnownIntent = {
  status: 'succeeded',
  amount: 1000,
  currency: 'EUR',
  providerId: 'ch_1',
  attempts: 1,
  hasDiscrepancy: false,
};
const APPLIED: Told = {
  finding: { kind: 'applied', providerId: 'ch_1' },
  amount: 1000,
  currency: 'EUR',
};

it.each<[string, Partial<KnownIntent>, Partial<Told>]>([
  ['the one effect of an intent that succeeded', {}, {}],
  ['an effect whose intent is still being found out', { status: 'unknown', providerId: null }, {}],
  [
    'a pending effect of a pending intent',
    { status: 'pending' },
    { finding: { kind: 'pending', providerId: 'ch_1' } },
  ],
  [
    'a voided charge of a canceled intent',
    { status: 'canceled' },
    { finding: { kind: 'reverted', providerId: 'ch_1' } },
  ],
  [
    'a decline beside anything',
    {},
    { finding: { kind: 'rejected', code: 'declined', declined: true } },
  ],
  ['a contradiction that is open already', { status: 'failed', hasDiscrepancy: true }, {}],
  ['what a person has before them', { status: 'in_review', providerId: null }, { amount: 1 }],
])('%s fits', (_title, intent, told) => {
  expect(misfitOf({ ...APPLIED, ...told }, { ...INTENT, ...intent })).toBeNull();
});

it.each<[string, Partial<KnownIntent>, Partial<Told>, string]>([
  ['a live effect of a failed intent', { status: 'failed', providerId: null }, {}, 'is failed'],
  ['a live effect of a canceled intent', { status: 'canceled' }, {}, 'is canceled'],
  [
    'a second effect',
    {},
    { finding: { kind: 'applied', providerId: 'ch_2' } },
    'another effect than the known one',
  ],
  [
    'a second effect that is pending',
    { status: 'executing' },
    { finding: { kind: 'pending', providerId: 'ch_2' } },
    'another effect than the known one',
  ],
  ['an effect of which no attempt is recorded', { attempts: 0, status: 'accepted' }, {}, 'nothing'],
  ['another amount', {}, { amount: 1001 }, 'amount is 1001'],
  ['another currency', {}, { currency: 'USD' }, 'currency is USD'],
  [
    'an effect that somebody else undid',
    {},
    { finding: { kind: 'reverted', providerId: 'ch_1' } },
    'undone',
  ],
])('%s does not fit', (...[, intent, told, why]) => {
  expect(misfitOf({ ...APPLIED, ...told }, { ...INTENT, ...intent })).toContain(why);
});
