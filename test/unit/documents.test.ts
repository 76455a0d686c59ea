/** What the documents point at is there, and what they promise is proven somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ORPHANS_PAGE, queuePage } from '../../api/desk/paths';
import { CONCERNS } from '../../domain/concern';
import { PROJECT_ROOT } from '../../local/project-root';
import { deskLinks } from '../../orchestration/desk-links';

const MOST_README_LINES = 150;

/** Invariants that no test names yet. Take one out as soon as a test does; never add one. */
const UNPROVEN: readonly string[] = [];

const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) => join(PROJECT_ROOT, name)),
  ...filesIn(join(PROJECT_ROOT, 'docs')).filter((path) => path.endsWith('.md')),
];

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Text without what is shown as code, where brackets mean other things. */
function prose(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '`');
}

/** Targets of links within the project: `file.md`, `folder`, `file.md#heading`, `#heading`. */
function localLinks(path: string): readonly string[] {
  return [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub makes of a document's headings. */
function anchors(path: string): readonly string[] {
  const headings = readFileSync(path, 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : join(dirname(document), decodeURIComponent(file));
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchors(target).includes(anchor);
}

/** The titles of all tests and groups, as far as they are written out. */
function testTitles(): readonly string[] {
  return filesIn(join(PROJECT_ROOT, 'test'))
    .filter((path) => path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(
        /\b(?:describe|it|test)\b[^'"`]*?\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g,
      ),
    ])
    .map(([, single, double, backtick]) => single ?? double ?? backtick ?? '');
}

/** `INV-1`, not the beginning of `INV-10`. */
function invariantsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\bINV-\d+\b/g) ?? [])];
}

test.each(DOCUMENTS.map((path) => relative(PROJECT_ROOT, path)))(
  'every link within %s leads to something',
  (name) => {
    const document = join(PROJECT_ROOT, name);
    expect(localLinks(document).filter((link) => isBroken(document, link))).toEqual([]);
  },
);

/** Where a reference link leads; shown nowhere. */
const DEFINITION = /^\[(.+)\]: (http:\S+)$/;

test('the README is short enough to be read', () => {
  const lines = readFileSync(join(PROJECT_ROOT, 'README.md'), 'utf8').trimEnd().split('\n');
  const shown = lines.filter((line) => !DEFINITION.test(line));
  expect(shown.length).toBeLessThanOrEqual(MOST_README_LINES);
});

test('the lists that the README links to are those of npm run desk', () => {
  const lines = readFileSync(join(PROJECT_ROOT, 'README.md'), 'utf8').split('\n');
  const linked = lines.flatMap((line) => DEFINITION.exec(line)?.[2] ?? []);
  const deskUrl = 'http://127.0.0.1:8233/namespaces/default/workflows';
  const lists = deskLinks({ deskUrl, now: new Date() }).filter(
    // Its query has the time in it.
    ({ name }) => name !== 'Unknown for an hour',
  );
  const pages = [...CONCERNS.map(queuePage), ORPHANS_PAGE];
  expect(linked).toEqual([
    ...lists.map(({ url }) => url),
    ...pages.map((page) => `http://127.0.0.1:8080${page}`),
  ]);
});

test('every invariant of the architecture is named by a test', () => {
  const stated = invariantsIn(readFileSync(join(PROJECT_ROOT, 'docs', 'ARCHITECTURE.md'), 'utf8'));
  const named = invariantsIn(testTitles().join('\n'));
  expect(stated.length).toBeGreaterThan(0);
  expect(stated.filter((invariant) => !named.includes(invariant))).toEqual(UNPROVEN);
});

test('the operation that is shown whole is the one that is registered', () => {
  const shown = readFileSync(join(PROJECT_ROOT, 'docs', 'adding-an-operation.md'), 'utf8');
  const registered = readFileSync(join(PROJECT_ROOT, 'operations', 'message-send.ts'), 'utf8');
  expect(shown).toContain(`\`\`\`ts\n${registered}\`\`\``);
});

test('every decision record is in the list of them', () => {
  const folder = join(PROJECT_ROOT, 'docs', 'adr');
  const records = readdirSync(folder).filter((name) => /^\d/.test(name));
  expect(localLinks(join(folder, 'README.md'))).toEqual(
    expect.arrayContaining(records.map((name) => name)),
  );
});
