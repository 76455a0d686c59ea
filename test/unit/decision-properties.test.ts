/** What no sequence of losses, delays and deaths may bring about, whatever the contract's shape. */
import fc from 'fast-check';
import { type ProviderContract } from '../../domain/contract';
import { type Fates, play, SEND_FATES } from '../support/abstract-world';
import { BLIND, FULL, KEY, KEY_ONLY, LOOK_UP, LOOK_UP_ONLY } from '../support/journal-of';

const SHAPES: readonly (readonly [string, ProviderContract])[] = [
  ['full', FULL],
  ['look-up only', LOOK_UP_ONLY],
  ['key only', KEY_ONLY],
  ['blind', BLIND],
  ['short window', { ...KEY_ONLY, key: { ...KEY, windowMs: 10_000 } }],
  ['weak look-up', { ...FULL, lookUp: { ...LOOK_UP, absenceIsProof: false } }],
  ['short sight', { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, seesBackMs: 8_000 } }],
];

const fates: fc.Arbitrary<Fates> = fc.record({
  sends: fc.array(fc.constantFrom(...SEND_FATES), { maxLength: 6 }),
  lookUps: fc.array(fc.constantFrom('truth' as const, 'lost' as const), { maxLength: 12 }),
});

const RUNS = { numRuns: 2_000 };

describe.each(SHAPES)('with a provider of shape %s', (_shape, contract) => {
  it('never two effects (INV-3)', () => {
    fc.assert(
      fc.property(fates, (drawn) => play(contract, drawn).effects <= 1),
      RUNS,
    );
  });

  it('never failed while an effect exists, never succeeded without one (INV-5)', () => {
    fc.assert(
      fc.property(fates, (drawn) => {
        const { standing, effects } = play(contract, drawn);
        if (standing.status === 'failed') return effects === 0;
        if (standing.status === 'succeeded') return effects === 1;
        return standing.status === 'in_review';
      }),
      RUNS,
    );
  });

  it('always reaches an outcome or a person', () => {
    fc.assert(
      fc.property(fates, (drawn) => play(contract, drawn).steps < 400),
      RUNS,
    );
  });
});

describe('negative controls: the properties can fail', () => {
  it('rules that do not know the in-flight horizon give two effects', () => {
    const story: Fates = { sends: ['lands-late'], lookUps: [] };
    const slow = { ...LOOK_UP_ONLY, send: { ...FULL.send, horizonMs: 60_000 } };
    expect(play(slow, story).effects).toBe(1);
    expect(play(slow, story, LOOK_UP_ONLY).effects).toBe(2);
  });

  it('rules that take any miss for proof give two effects', () => {
    const story: Fates = { sends: ['answer-lost'], lookUps: [] };
    const lagging = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, lagMs: 60_000 } };
    expect(play(lagging, story).effects).toBe(1);
    expect(play(lagging, story, LOOK_UP_ONLY).effects).toBe(2);
  });
});
