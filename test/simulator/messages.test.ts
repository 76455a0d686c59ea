// Messages: a second thing that two of the providers do, under the same keys and the same faults.

import { randomUUID } from 'node:crypto';

import { startUnderTest, type UnderTest } from './simulator-under-test';

let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterAll(async () => simulator.stop());

const aMessage = () => ({ to: `to-${randomUUID()}`, text: 'hello', reference: randomUUID() });

test('a message answers 201, and the ledger keeps its recipient and not its text', async () => {
  const body = aMessage();
  const seen = await simulator.post('/key/v1/messages', { key: randomUUID(), body });
  expect(seen.status).toBe(201);
  expect(seen.body).toEqual({
    id: expect.stringMatching(/^ms_[0-9a-f]{24}$/) as string,
    object: 'message',
    status: 'succeeded',
    to: body.to,
    reference: body.reference,
    created_at: expect.any(String) as string,
  });
  const ledger = await simulator.ledger(`?source=${body.to}`);
  const line = { source: body.to, amount: null, currency: null, reference: body.reference };
  expect(ledger.effects).toMatchObject([{ kind: 'message', status: 'succeeded', ...line }]);
  expect(ledger.calls).toMatchObject([{ call: 'message', behaviour: 'honest', ...line }]);
  expect(JSON.stringify(ledger)).not.toContain('hello');
});

test.each([
  ['/key', 1],
  ['/blind', 2],
])('%s: two requests under one key are %i effects', async (path, effects) => {
  const body = aMessage();
  const send = { key: randomUUID(), body };
  await simulator.post(`${path}/v1/messages`, send);
  await simulator.post(`${path}/v1/messages`, send);
  const ledger = await simulator.ledger(`?source=${body.to}`);
  expect([ledger.effects.length, ledger.calls.length]).toEqual([effects, 2]);
});

test.each(['/full', '/lookup'])('%s brings no messages', async (path) => {
  expect((await simulator.post(`${path}/v1/messages`, { body: aMessage() })).status).toBe(404);
});

test('a message without text is 400 and leaves its line', async () => {
  const { to, reference } = aMessage();
  const seen = await simulator.post('/key/v1/messages', { body: { to, reference } });
  expect([seen.status, seen.body['error']]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('to, text, reference') as string }),
  ]);
  expect((await simulator.ledger(`?source=${to}`)).calls).toMatchObject([{ behaviour: 'invalid' }]);
});

test('faults on messages meet messages only, by recipient and by reference', async () => {
  const body = aMessage();
  await simulator.programme({ on: 'message', do: 'decline', match: { source: body.to } });
  await simulator.programme({
    on: 'message',
    do: 'http-429',
    match: { reference: body.reference },
  });
  const declined = await simulator.post('/blind/v1/messages', { body });
  expect([declined.status, declined.body['decline_code']]).toEqual([402, 'message_refused']);
  expect((await simulator.post('/blind/v1/messages', { body })).status).toBe(429);
  expect((await simulator.ledger(`?source=${body.to}`)).effects).toEqual([]);
});
