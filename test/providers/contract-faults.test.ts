/** A contract under which the rules could not keep their promise is refused, in words that help. */
import { ConfigurationError } from '../../config/environment';
import { type ProviderContract } from '../../domain/contract';
import { createOperations } from '../../operations/registry';
import { contractFaults } from '../../providers/contract-faults';
import { createProviders, describedProviders } from '../../providers/registry';
import { FULL, KEY, LOOK_UP, NAME } from '../support/journal-of';

/** Budget 2 s, guard 0.5 s, horizon 1 s, lag 1 s: proof after 4.5 s. */
const changed = (changes: Partial<ProviderContract>): readonly string[] =>
  contractFaults({ ...FULL, ...changes });

test('every registered contract is sound', () => {
  const all = describedProviders().flatMap(({ contracts }) => Object.values(contracts));
  expect(all.length).toBeGreaterThanOrEqual(4);
  expect(all.flatMap((contract) => contractFaults(contract))).toEqual([]);
});

test.each<[string, Partial<ProviderContract>, RegExp]>([
  ['a key shorter than ours', { key: { ...KEY, maxBytes: 35 } }, /^key\.maxBytes is 35.*36 bytes/],
  ['a key of digits only', { key: { ...KEY, alphabet: '0-9' } }, /^key\.alphabet \[0-9\] lacks/],
  ['an alphabet that is none', { key: { ...KEY, alphabet: 'z-a' } }, /^key\.alphabet is not/],
  ['an alphabet that ends early', { key: { ...KEY, alphabet: 'a]|[b' } }, /^key\.alphabet is not/],
  ['no room for our reference', { reference: { ...NAME, maxBytes: 20 } }, /^reference\.maxBytes/],
  ['a reference without hyphens', { reference: { ...NAME, alphabet: 'a-z0-9' } }, /^reference\.al/],
  [
    'a look-up by a key that is not there',
    { key: null, lookUp: { ...LOOK_UP, by: 'key' } },
    /no key/,
  ],
  ['a look-up by a reference that is not there', { reference: null }, /no room/],
  ['a budget beyond the worker’s grace', { send: { ...FULL.send, budgetMs: 9_001 } }, /^send\.bud/],
  [
    'a budget too short to begin',
    { send: { ...FULL.send, budgetMs: 99 } },
    /^send\.budgetMs is 99/,
  ],
  ['half a millisecond', { send: { ...FULL.send, horizonMs: 0.5 } }, /^send\.horizonMs is 0\.5/],
  ['a horizon before the deadline', { send: { ...FULL.send, horizonMs: -1 } }, /^send\.horizonMs/],
  [
    'repeats that land at once',
    { send: { ...FULL.send, horizonMs: 0, mayRepeat: true } },
    /repeat/,
  ],
  ['half a window', { key: { ...KEY, windowMs: 0.5 } }, /^key\.windowMs is 0\.5/],
  ['an empty schedule', { lookUp: { ...LOOK_UP, scheduleMs: [] } }, /at least one pause/],
  ['a pause of nothing', { lookUp: { ...LOOK_UP, scheduleMs: [0, 5] } }, /at least one pause/],
  [
    'a schedule that hurries',
    { lookUp: { ...LOOK_UP, scheduleMs: [500, 200] } },
    /not become shorter/,
  ],
  ['a negative look-back', { lookUp: { ...LOOK_UP, seesBackMs: -1 } }, /^lookUp\.seesBackMs is -1/],
  ['readers at any rate', { lookUp: { ...LOOK_UP, onReadMs: 0 } }, /^lookUp\.onReadMs is 0/],
  ['a negative lag', { lookUp: { ...LOOK_UP, lagMs: -1 } }, /^lookUp\.lagMs is -1/],
  ['a jitter that is no percentage', { jitterPercent: 150 }, /^jitterPercent is 150/],
  ['a jitter in parts of one', { jitterPercent: 0.2 }, /^jitterPercent is 0\.2/],
  ['patience without an end', { patienceMs: Number.POSITIVE_INFINITY }, /^patienceMs is Inf/],
])('%s is one fault', (_, changes, sentence) => {
  const faults = changed(changes);
  expect(faults).toEqual([expect.stringMatching(sentence)]);
});

test.each<[string, Partial<ProviderContract>]>([
  ['the longest key that fits', { key: { ...KEY, maxBytes: 36 } }],
  ['a window without room for a repeat, which is never sent', { key: { ...KEY, windowMs: 0 } }],
  ['a window for ever', { key: { ...KEY, windowMs: 'forever' } }],
  ['a window that nobody published', { key: { ...KEY, windowMs: 'unpublished' } }],
  ['a look-up that forgets before a miss is proof', { lookUp: { ...LOOK_UP, seesBackMs: 1 } }],
  ['patience that ends before any proof', { patienceMs: 0 }],
  ['neither key nor look-up', { key: null, lookUp: null, reference: null }],
])('%s is none', (_, changes) => {
  expect(changed(changes)).toEqual([]);
});

describe('the registry', () => {
  const url = { RESOLUTE_SIMULATOR_URL: 'http://127.0.0.1:1' };
  const refusal = (overrides: object): string => {
    try {
      createProviders({ ...url, RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(overrides) });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      return String(error);
    }
    return 'accepted';
  };

  test('refuses overrides that do not nest: variable, provider, command and one line a fault', () => {
    const text = refusal({
      'sim-full': { send: { budget_ms: 9_001 } },
      'sim-lookup': { look_up: { schedule_ms: [5, 4] } },
    });
    expect(text.split('\n')).toEqual([
      expect.stringMatching(
        /RESOLUTE_SIMULATOR_CONTRACT: sim-full, charge: send\.budgetMs is 9001/,
      ),
      expect.stringMatching(
        /RESOLUTE_SIMULATOR_CONTRACT: sim-full, refund: send\.budgetMs is 9001/,
      ),
      expect.stringMatching(/RESOLUTE_SIMULATOR_CONTRACT: sim-lookup, charge: lookUp\.scheduleMs/),
      expect.stringMatching(/RESOLUTE_SIMULATOR_CONTRACT: sim-lookup, refund: lookUp\.scheduleMs/),
    ]);
  });

  test.each<[string, object]>([
    [
      'patience up to the proof time, a window without a repeat',
      {
        'sim-full': { patience_ms: 4_500, key: { window_ms: 3_500 }, look_up: { sees_back_ms: 1 } },
      },
    ],
    ['no key where that was the way out', { 'sim-key': { key: null } }],
    ['neither key nor look-up', { 'sim-full': { key: null, look_up: null } }],
    ['no window that a repeat fits in', { 'sim-key': { key: { window_ms: 1 } } }],
  ])('lets a trial have %s: only a person is asked early', (_, overrides) => {
    const env = { ...url, RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(overrides) };
    expect(() => createOperations(createProviders(env).values())).not.toThrow();
  });

  test('registers nothing without an address, and says so of a name taken twice', () => {
    expect([...createProviders({}).keys()]).toEqual([]);
    const twice = { contractsFrom: null, example: {}, create: () => describedProviders() };
    expect(() => createProviders({}, {}, [twice, twice])).toThrow(/under one name/);
  });
});
