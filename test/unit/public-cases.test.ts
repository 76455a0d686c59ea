/** docs/public-cases.md against the list of public cases and the titles of the tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PROJECT_ROOT } from '../../local/project-root';

const TESTS = join(PROJECT_ROOT, 'test');

/** Cases that nothing proves yet. Take one out as soon as a test does; never add one. */
const NOT_YET: readonly string[] = [];

const CASES = JSON.parse(
  readFileSync(join(__dirname, 'cases', 'public-cases.json'), 'utf8'),
) as readonly { readonly id: string; readonly area: string; readonly source: string }[];

interface Row {
  readonly id: string;
  readonly area: string;
  readonly where: string;
}

const ROWS: readonly Row[] = readFileSync(join(PROJECT_ROOT, 'docs', 'public-cases.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| B'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', area = '', , where = '']) => ({ id, area, where }));

/** Ids at the beginning of a text: `'B61, INV-1: of a…'`. */
const LEADING_IDS = /['"`]((?:(?:B\d{2,3}|INV-\d+)(?:, )?)+): /g;

function idsIn(source: string): readonly string[] {
  const leading = [...source.matchAll(LEADING_IDS)].flatMap(
    ([, ids = '']) => ids.match(/B\d+/g) ?? [],
  );
  // The cases of the fingerprint are titles by themselves.
  const isTableOfCases = source.includes("describe.each(CASES)('$id: $rule'");
  return isTableOfCases ? [...leading, ...canonIds()] : leading;
}

function canonIds(): readonly string[] {
  return readFileSync(join(__dirname, 'cases', 'canon.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly id: string }).id);
}

const PROVEN = new Map<string, Set<string>>();
for (const name of readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).sort()) {
  // This file's own examples prove nothing.
  if (!name.endsWith('.test.ts') || name === relative(TESTS, __filename)) continue;
  for (const id of idsIn(readFileSync(join(TESTS, name), 'utf8'))) {
    PROVEN.set(id, (PROVEN.get(id) ?? new Set()).add(name));
  }
}

const startsWith = (words: string): readonly string[] =>
  ROWS.filter(({ where }) => where.startsWith(words)).map(({ id }) => id);

test('the table has every case once, in the order of the list', () => {
  expect(CASES).toHaveLength(116);
  expect(ROWS.map(({ id, area }) => ({ id, area }))).toEqual(
    CASES.map(({ id, area }) => ({ id, area })),
  );
});

test('no test names a case that is not in the list', () => {
  const known = CASES.map(({ id }) => id);
  expect([...PROVEN.keys()].filter((id) => !known.includes(id))).toEqual([]);
});

test('what is said not to apply, or not yet, is proven nowhere, and has its reason', () => {
  const without = [...startsWith('Does not apply: '), ...startsWith('Not yet: ')];
  expect(without.filter((id) => PROVEN.has(id))).toEqual([]);
  const reasons = ROWS.filter(({ id }) => without.includes(id)).map(({ where }) => where);
  for (const reason of reasons) expect(reason).toMatch(/: .{20,}\.$/);
});

test('what is not proven yet is only this', () => {
  expect(startsWith('Not yet: ')).toEqual(NOT_YET);
});

test.each(ROWS.filter(({ where }) => where.startsWith('`')))(
  'the row of $id names the files whose titles name it, and no others',
  ({ id, where }) => {
    const named = [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => file);
    expect(named.sort()).toEqual([...(PROVEN.get(id) ?? [])].sort());
  },
);

test('every row says where, or why not', () => {
  const said = /^(`[^`]+\.test\.ts`(, `[^`]+\.test\.ts`)*|Does not apply: .*|Not yet: .*)$/;
  expect(ROWS.filter(({ where }) => !said.test(where))).toEqual([]);
});
