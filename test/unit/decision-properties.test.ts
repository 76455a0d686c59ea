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

const FEWER = { numRuns: 300 };

/** Decisions of operators who err or not, after a few seconds or a day. */
const withOperators: fc.Arbitrary<Fates> = fc.record({
  sends: fc.array(fc.constantFrom(...SEND_FATES), { maxLength: 6 }),
  lookUps: fc.array(fc.constantFrom('truth' as const, 'lost' as const), { maxLength: 40 }),
  decisions: fc.array(
    fc.record({
      decision: fc.constantFrom('applied' as const, 'not_applied' as const, 'retry' as const),
      override: fc.boolean(),
      afterMs: fc.constantFrom(0, 3_000, 90_000, 100_000_000),
    }),
    { maxLength: 3 },
  ),
});

describe.each(SHAPES.filter(([shape]) => shape !== 'blind'))(
  'with operators who err, and a provider of shape %s',
  (_shape, contract) => {
    it('never two effects (INV-3)', () => {
      fc.assert(
        fc.property(withOperators, (drawn) => play(contract, drawn).effects <= 1),
        FEWER,
      );
    });
  },
);

it.each(SHAPES)(
  'operators bring a provider of shape %s to an outcome or to a person',
  (_s, contract) => {
    fc.assert(
      fc.property(withOperators, (drawn) => play(contract, drawn).steps < 400),
      FEWER,
    );
  },
);

it('where a look-up sees, an error of one operator ends nothing falsely', () => {
  fc.assert(
    fc.property(withOperators, ({ decisions = [], ...drawn }) => {
      const alone = decisions.map((one) => ({ ...one, override: false }));
      const { standing, effects } = play(LOOK_UP_ONLY, { ...drawn, decisions: alone });
      if (standing.status === 'failed') return effects === 0;
      return standing.status !== 'succeeded' || effects === 1;
    }),
    FEWER,
  );
});

describe('negative controls: the properties can fail', () => {
  it('rules that do not know the in-flight horizon give two effects', () => {
    const story: Fates = { sends: ['lands-late'], lookUps: [] };
    const slow = { ...LOOK_UP_ONLY, send: { ...FULL.send, horizonMs: 60_000 } };
    expect(play(slow, story).effects).toBe(1);
    expect(play(slow, story, LOOK_UP_ONLY).effects).toBe(2);
  });

  it('one wrong retry gives two effects where there is neither key nor look-up', () => {
    const story: Fates = {
      sends: ['answer-lost'],
      lookUps: [],
      decisions: [{ decision: 'retry', override: false, afterMs: 3_000 }],
    };
    expect(play(BLIND, story).effects).toBe(2);
    expect(play(KEY_ONLY, story).effects).toBe(1);
  });

  it('rules that take any miss for proof give two effects', () => {
    const story: Fates = { sends: ['answer-lost'], lookUps: [] };
    const lagging = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, lagMs: 60_000 } };
    expect(play(lagging, story).effects).toBe(1);
    expect(play(lagging, story, LOOK_UP_ONLY).effects).toBe(2);
  });
});
