/** The pages say what the contracts say; `npm run provider-pages` writes them anew. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractPage } from '../../providers/contract-page';
import { describedProviders } from '../../providers/registry';
import { BLIND, FULL, KEY, KEY_ONLY, LOOK_UP } from '../support/journal-of';
import { ROOT } from '../support/program-sources';

const FOLDER = join(ROOT, 'docs', 'providers');

test('there is one page for each provider, and no other', () => {
  const names = describedProviders().map(({ name }) => `${name}.md`);
  expect(readdirSync(FOLDER).sort()).toEqual(names.sort());
});

test.each(describedProviders().map((provider) => [provider.name, provider] as const))(
  'the page of %s is not stale',
  (name, provider) => {
    expect(readFileSync(join(FOLDER, `${name}.md`), 'utf8')).toBe(contractPage(provider));
  },
);

const [first] = describedProviders();
const pageOf = (charge: typeof FULL): string => {
  if (first === undefined) throw new Error('no provider is registered');
  return contractPage({ ...first, name: 'acme', contracts: { charge } });
};

test.each<[string, typeof FULL, RegExp]>([
  ['proof by look-up', FULL, /proof once it was asked more than 4\.5 s after/],
  [
    'a miss that proves nothing',
    { ...FULL, lookUp: { ...LOOK_UP, absenceIsProof: false } },
    /proves nothing here/,
  ],
  [
    'a short look-back',
    { ...FULL, lookUp: { ...LOOK_UP, seesBackMs: 3_600_000 } },
    /answered within 1 h;/,
  ],
  ['repeats under a key', KEY_ONLY, /within 24 h of the first send/],
  [
    'an unpublished window',
    { ...KEY_ONLY, key: { ...KEY, windowMs: 'unpublished' } },
    /no second attempt/,
  ],
  ['neither', BLIND, /At once when an answer is lost/],
  ['notifications alone', { ...BLIND, notifications: true }, /ends the doubt/],
  ['no way back', { ...FULL, revert: false }, /cannot be undone/],
])('a page tells of %s', (_, contract, sentence) => {
  expect(pageOf(contract)).toMatch(sentence);
});
