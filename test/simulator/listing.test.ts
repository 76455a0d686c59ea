// Listings: what a client that reconciles its books is shown, a page at a time.

import {
  aCharge,
  eventually,
  type Json,
  startUnderTest,
  type UnderTest,
} from './simulator-under-test';

let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({
    contract: {
      'sim-full': { look_up: { lag_ms: 0 } },
      'sim-lookup': { look_up: { lag_ms: 300 } },
    },
  });
});
afterAll(async () => simulator.stop());

const HOUR = 3_600_000;
const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());

async function list(path: string, more = '', sinceMs = Date.now() - HOUR) {
  const span = `created_after=${at(sinceMs)}&created_before=${at(Date.now() + HOUR)}`;
  const { status, body } = await simulator.get(`${path}?${span}${more}`);
  return { status, data: (body['data'] ?? []) as readonly Json[], next: body['next_cursor'], body };
}

async function charged(path: string, members: Json = {}): Promise<string> {
  const { body } = await simulator.post(`${path}/v1/charges`, { body: aCharge(members) });
  return String(body['id']);
}

const ids = (data: readonly Json[]) => data.map((one) => one['id']);

test('pages follow each other without gap or repeat, oldest first', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) made.push(await charged('/full'));
  const seen: unknown[] = [];
  let cursor = '';
  for (let pages = 0; pages < 3; pages += 1) {
    const page = await list('/full/v1/charges', `&limit=2${cursor}`);
    seen.push(...ids(page.data));
    cursor = `&cursor=${String(page.next)}`;
    expect(page.next === null).toBe(pages === 2);
  }
  expect(seen).toEqual(made);
});

test('a span begins at its first moment and ends before its last', async () => {
  const id = await charged('/full');
  const { body } = await simulator.get(`/full/v1/charges/${id}`);
  const createdMs = Date.parse(String(body['created_at']));
  expect(ids((await list('/full/v1/charges', '', createdMs)).data)).toContain(id);
  expect(ids((await list('/full/v1/charges', '', createdMs + 1)).data)).not.toContain(id);
});

test('what lags is not listed yet, what was declined never is', async () => {
  const source = 'card_declined_unlisted';
  await simulator.programme({ on: 'charge', do: 'decline', match: { source } });
  const declined = await charged('/lookup', { source });
  const id = await charged('/lookup');
  expect((await list('/lookup/v1/charges')).data).toEqual([]);
  const { data } = await eventually(
    () => list('/lookup/v1/charges'),
    (page) => page.data.length > 0,
  );
  expect(ids(data)).toEqual([id]);
  expect(ids(data)).not.toContain(declined);
});

test('refunds are listed beside charges, and no fault meets a listing', async () => {
  const charge = await charged('/full');
  const refund = await simulator.post('/full/v1/refunds', {
    body: { charge, amount: 400, reference: 'r-listed' },
  });
  await simulator.programme({ on: 'query', do: 'http-403' });
  expect(ids((await list('/full/v1/refunds')).data)).toEqual([refund.body['id']]);
  expect((await simulator.get('/full/v1/charges?reference=r')).status).toBe(403);
});

test.each([
  ['/full/v1/charges?created_after=yesterday&created_before=today', 400],
  [`/full/v1/charges?created_after=${at(0)}`, 400],
  [`/full/v1/charges?created_after=${at(0)}&created_before=${at(1)}&limit=0`, 400],
  [`/full/v1/charges?created_after=${at(0)}&created_before=${at(1)}&cursor=x`, 400],
  ['/full/v1/charges', 400],
  [`/key/v1/charges?created_after=${at(0)}&created_before=${at(1)}`, 404],
])('%s is refused with %i', async (path, status) => {
  expect((await simulator.get(path)).status).toBe(status);
});
