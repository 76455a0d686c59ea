/** The feed of the running gateway: what its tenant did, in order, to the reader who waits as well. */
import { charge, exchange, type Reply } from '../support/intent-client';
import { resolute, resoluteJson } from '../support/resolute';
import { sharedStack } from '../support/shared-stack';
import { until } from '../support/until';

const { ready } = sharedStack();
const { api } = ready;

interface Event {
  readonly id: string;
  readonly subject: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly data: readonly Event[];
  readonly next_cursor: string;
}

let token: string;

beforeAll(async () => {
  await resolute(ready.database, 'tenant', 'create', 'feed', '--provider', 'sim-full');
  ({ token } = await resoluteJson<{ token: string }>(
    ready.database,
    ...['token', 'create', '--tenant', 'feed', '--actor', 'reader', '--scopes', 'charge,read'],
  ));
});

const feed = (query: string, prefer = '', as = token): Promise<Reply> =>
  exchange(`${api}/v1/events${query}`, { token: as, headers: { prefer } });

const page = async (query: string, prefer?: string): Promise<Page> =>
  (await feed(query, prefer)).body as unknown as Page;

/** Everything behind a cursor, page by page. */
async function everything(after: string, limit: number): Promise<readonly Event[]> {
  const { data, next_cursor: next } = await page(`?after=${after}&limit=${limit}`);
  return data.length === 0 ? [] : [...data, ...(await everything(next, limit))];
}

test('tells the life of an intent, in any size of page', async () => {
  const { next_cursor: begin } = await page('');
  const { body } = await charge(api, { reference: 'life' }, { token, key: 'life', wait: 30 });
  const events = await until('the end of the life', async () => {
    const { data } = await page(`?after=${begin}`);
    return data.some(({ type }) => type === 'resolute.intent.succeeded') ? data : undefined;
  });
  expect(events.every(({ subject }) => subject === body['id'])).toBe(true);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events[0]?.type).toBe('resolute.intent.accepted');
  expect(events.at(-1)?.data).toMatchObject({ id: body['id'], status: 'succeeded', amount: 1000 });
  expect(await everything(begin, 1)).toEqual(events);
});

test('a reader who waits is answered when something happens, and not before', async () => {
  const { next_cursor: begin } = await page('');
  const waiting = feed(`?after=${begin}`, 'wait=50');
  const { body } = await charge(api, { reference: 'news' }, { token, key: 'news', wait: 30 });
  const reply = await waiting;
  expect(reply.headers.get('preference-applied')).toBe('wait=50');
  const [first] = (reply.body as unknown as Page).data;
  expect(first).toMatchObject({ subject: body['id'], sequence: 1 });
}, 40_000);

test('a reader whose wait is over gets an empty page and its own cursor', async () => {
  const cursor = await until('a quiet feed', async () => {
    const { data, next_cursor: next } = await page('?limit=1000');
    return (await page(`?after=${next}`)).data.length === 0 && data.length >= 0 ? next : undefined;
  });
  expect(await page(`?after=${cursor}`, 'wait=1')).toEqual({ data: [], next_cursor: cursor });
});

test('another tenant has another feed, an operator none', async () => {
  const { body } = await charge(api, { reference: 'mine' }, { token, key: 'mine', wait: 30 });
  const theirs = await feed('?limit=1000', '', ready.tenants.globex.token);
  expect(JSON.stringify(theirs.body)).not.toContain(String(body['id']));
  expect((await feed('', '', ready.operators.olive.token)).status).toBe(403);
  expect((await feed('', '', 'nobody')).status).toBe(401);
});
