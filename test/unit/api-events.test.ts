/** The feed over a store of answers. */
import { type InjectOptions } from 'fastify';
import { answer } from '../support/gateway-request';
import { ACME, OPERATOR } from '../support/gateway-under-test';

const ROW = {
  position: '741',
  id: 12,
  intent: '01a22c76-9472-741a-9fcc-768325ffa9ad',
  sequence: 3,
  type: 'resolute.intent.succeeded',
  data: { status: 'succeeded' },
  createdAt: new Date('2026-01-01T00:00:02.000Z'),
};

const get = (query = ''): InjectOptions => ({
  url: `/v1/events${query}`,
  headers: { authorization: 'Bearer t' },
});

test('an event is a CloudEvent with a stable id and the intent’s own sequence', async () => {
  const { status, body } = await answer(get(), { 'read-events': [ROW] });
  expect(status).toBe(200);
  expect(body['data']).toEqual([
    {
      specversion: '1.0',
      id: '01a22c76-9472-741a-9fcc-768325ffa9ad.3',
      source: '/v1/intents',
      type: 'resolute.intent.succeeded',
      subject: '01a22c76-9472-741a-9fcc-768325ffa9ad',
      time: '2026-01-01T00:00:02.000Z',
      datacontenttype: 'application/json',
      sequence: 3,
      data: { status: 'succeeded' },
    },
  ]);
});

test('the cursor leads behind the page’s last event, an empty page’s where it came from', async () => {
  const first = await answer(get(), { 'read-events': [ROW] });
  const cursor = String(first.body['next_cursor']);
  let asked: readonly unknown[] = [];
  const second = await answer(get(`?after=${cursor}&limit=7`), {
    'read-events': (values) => {
      asked = values;
      return [];
    },
  });
  expect(asked).toEqual(['acme', '741', 12, 7]);
  expect(second.body).toEqual({ data: [], next_cursor: cursor });
});

test.each(['', 'wait=0'])('without a wait (%j) the answer is at once', async (prefer) => {
  const options = { ...get(), headers: { authorization: 'Bearer t', prefer } };
  const { status, asked } = await answer(options, {});
  expect([status, asked]).toEqual([200, ['find-caller', 'read-events']]);
});

test.each([
  'after=',
  'after=x',
  `after=${Buffer.from('1.1.1').toString('base64url')}`,
  `after=${Buffer.from('-1.1').toString('base64url')}`,
  `after=${Buffer.from('1.1').toString('base64url')}%3D`,
  `after=${Buffer.from(`${'9'.repeat(20)}.1`).toString('base64url')}`,
  'after=a&after=b',
  'limit=0',
  'limit=1001',
  'limit=1e2',
  'cursor=x',
])('?%s is a bad query, and the store is not asked', async (query) => {
  const { status, problem, body, asked } = await answer(get(`?${query}`));
  expect([status, problem]).toEqual([400, 'invalid-parameters']);
  expect(body['errors']).toHaveLength(1);
  expect(asked).toEqual(['find-caller']);
});

test.each([
  ['an operator, who has no outbox', OPERATOR],
  ['a token that may not read', { ...ACME, scopes: ['charge'] }],
])('%s is 403', async (...row) => {
  const [, caller] = row;
  const { status, problem } = await answer(get(), { 'find-caller': [caller] });
  expect([status, problem]).toEqual([403, 'forbidden']);
});
