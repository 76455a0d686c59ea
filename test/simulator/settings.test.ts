// Standing behaviour: latency and the provider that is down for a while.

import { connect } from 'node:net';
import { once } from 'node:events';

import { aCharge, startUnderTest, type UnderTest } from './simulator-under-test';

let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterAll(async () => simulator.stop());

const put = (settings: Record<string, unknown>) =>
  simulator.administer('PUT', 'settings', settings);
const charge = () => simulator.post('/full/v1/charges', { body: aCharge() });

test('the defaults are no latency, no notifications, listening', async () => {
  const { body } = await simulator.administer('GET', 'settings');
  expect(body).toEqual({ latency_ms: 0, notify: 'off', listening: true });
});

test('latency_ms is the least time of every answer, and other members stay as they are', async () => {
  expect((await put({ latency_ms: 120 })).body).toMatchObject({ latency_ms: 120, listening: true });
  for (const call of [charge, () => simulator.get('/full/v1/charges?reference=x')]) {
    const startedMs = performance.now();
    await call();
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(118);
  }
  expect((await put({ latency_ms: 0 })).body).toMatchObject({ latency_ms: 0 });
});

test('listening false refuses connections and drops kept-alive ones until it is true again', async () => {
  const port = Number(new URL(simulator.face).port);
  const kept = connect(port, '127.0.0.1');
  await once(kept, 'connect');
  kept.write('GET /full/v1/charges?reference=x HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(kept, 'data');
  const dropped = once(kept, 'close');
  expect((await put({ listening: false })).body).toMatchObject({ listening: false });
  await dropped;
  expect((await charge()).status).toBe('refused');
  expect((await put({ listening: false })).status).toBe(200);
  await put({ listening: true });
  expect((await charge()).status).toBe(201);
});

test('listening false cuts off a call that is hanging', async () => {
  await simulator.programme({ on: 'charge', do: 'hang' });
  const hanging = charge();
  const isOnRecord = async () => (await simulator.ledger()).calls.at(-1)?.['behaviour'] === 'hang';
  while (!(await isOnRecord())) await new Promise(setImmediate);
  await put({ listening: false });
  expect((await hanging).status).toMatch(/closed|reset/);
  await put({ listening: true });
});

test.each([{ latency_ms: -1 }, { notify: 'loud' }, { listening: 'no' }, { colour: 'red' }])(
  '%j is refused and changes nothing',
  async (settings) => {
    const seen = await put(settings);
    expect([seen.status, JSON.stringify(seen.body)]).toEqual([
      400,
      expect.stringContaining('Allowed: latency_ms'),
    ]);
    const { body } = await simulator.administer('GET', 'settings');
    expect(body).toEqual({ latency_ms: 0, notify: 'off', listening: true });
  },
);
