/**
 * The quick rehearsals of docs/runbook.md, so that page and code cannot drift apart. All of them:
 * `npm run rehearse`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../local/project-root';
import { REHEARSALS } from '../../rehearsals/catalogue';
import { performAll } from '../../rehearsals/perform';

const QUICK = [
  'provider-down',
  'provider-slow',
  'answers-lost',
  'many-in-review',
  'worker-gone',
  'postgresql-down',
];

it('the quick troubles go as the runbook says, and the books agree', async () => {
  const quick = REHEARSALS.filter(({ name }) => QUICK.includes(name));
  expect(quick).toHaveLength(QUICK.length);
  const seen: string[] = [];
  expect(await performAll(quick, (line) => seen.push(line))).toEqual([]);
  expect(seen.filter((line) => line.includes('nothing doubled'))).toHaveLength(QUICK.length);
}, 180_000);

it('each section of the runbook names its rehearsal, and each rehearsal has its section', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'runbook.md'), 'utf8');
  const sections = page.split(/^## /m).slice(1);
  const rehearsed = sections.flatMap((section) => {
    const [title = ''] = section.split('\n');
    const [, name] = /\*\*Rehearsed\*\* by `npm run rehearse -- ([a-z-]+)`/.exec(section) ?? [];
    return name === undefined ? [] : [{ anchor: title.toLowerCase().replaceAll(' ', '-'), name }];
  });
  expect(rehearsed.map(({ anchor }) => anchor)).toEqual(rehearsed.map(({ name }) => name));
  expect(rehearsed.map(({ name }) => name).sort()).toEqual(
    REHEARSALS.map(({ name }) => name).sort(),
  );
});
