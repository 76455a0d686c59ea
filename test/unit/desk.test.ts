/** The desk's templates and links, without a server. */
import { Html, html } from '../../api/html';
import { pageAfterSignIn } from '../../api/desk/paths';
import { lasting } from '../../operations/lasting';
import { deskLinks } from '../../orchestration/desk-links';

describe('html', () => {
  it('escapes whatever is put in, in text and in attributes', () => {
    const nasty = `<img src=x onerror="alert('1')">&`;
    expect(html`<p title="${nasty}">${nasty}</p>`.text).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
        '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</p>',
    );
  });

  it('takes markup as it is, joins lists, and leaves out what is not there', () => {
    const items = ['a', '<b>'].map((one) => html`<li>${one}</li>`);
    // The formatter breaks markup into lines; white space between tags means nothing.
    const lines = html`<ul>
        ${items}
      </ul>
      ${null}${false}${0}`.text.split('\n');
    expect(lines.map((line) => line.trim()).join('')).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
    expect(html`${new Html('<hr>')}`.text).toBe('<hr>');
  });
});

describe('how long something lasts', () => {
  const now = new Date('2026-01-02T00:00:00Z');
  it.each([
    ['2026-01-01T23:59:30Z', '30 s'],
    ['2026-01-01T23:15:00Z', '45 min'],
    ['2026-01-01T20:48:00Z', '3 h 12 min'],
    ['2025-12-29T22:00:00Z', '3 d 2 h'],
    ['2026-01-02T00:00:05Z', '0 s'],
  ])('since %s: %s', (since, text) => {
    expect(lasting(new Date(since), now)).toBe(text);
  });
});

it.each([
  ['/desk?show=unknown', '/desk?show=unknown'],
  ['/desk/orphan-effects', '/desk/orphan-effects'],
  ['https://elsewhere.example/desk', '/desk'],
  ['//elsewhere.example', '/desk'],
  ['/desk/../v1/intents', '/desk'],
  ['/desk.elsewhere.example', '/desk'],
  [undefined, '/desk'],
])('a sign-in that came for %s leads to %s', (wanted, page) => {
  expect(pageAfterSignIn(wanted)).toBe(page);
});

it('a link holds its query and its name, and "an hour" is counted from now', () => {
  const now = new Date('2026-01-02T00:00:00.123Z');
  const links = deskLinks({
    deskUrl: 'http://ui/list',
    now,
    tenants: ['acme'],
    providers: ['sim-full'],
  });
  const hour = new URL(links.find(({ name }) => name === 'Unknown for an hour')?.url ?? '');
  expect(hour.searchParams.get('savedQuery')).toBe('Unknown for an hour');
  expect(hour.searchParams.get('query')).toBe(
    'IntentAttention is not null AND ExecutionStatus = "Running" AND IntentUnknownSince < "2026-01-01T23:00:00Z"',
  );
  expect(links.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Stuck of acme', 'Stuck at sim-full', 'Broken', 'Orphans']),
  );
});
