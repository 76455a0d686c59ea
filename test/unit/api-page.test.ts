import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '../../api/problem';

test('docs/api.md lists the problems that exist, with their status, and no others', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  const listed = page
    .slice(page.indexOf('## Problems'))
    .split('\n')
    .flatMap((line) => {
      const [, name, statuses] = /^\| `([a-z-]+)` +\| ([0-9, ]+?) +\|/.exec(line) ?? [];
      return name === undefined ? [] : [[name, statuses?.split(', ').at(-1)]];
    });
  expect(listed).toEqual(
    Object.entries(PROBLEMS).map(([name, { status }]) => [name, String(status)]),
  );
});
