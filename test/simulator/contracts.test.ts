// The honest provider: what each of the four contracts does when nothing is programmed.

import { randomUUID } from 'node:crypto';

import {
  aCharge,
  eventually,
  type Json,
  startUnderTest,
  type UnderTest,
} from './simulator-under-test';

const WINDOW_MS = 400;
let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({
    contract: {
      'sim-full': { look_up: { lag_ms: 100, sees_back_ms: 60_000 } },
      'sim-lookup': { look_up: { lag_ms: 60_000 } },
      'sim-blind': { look_up: { lag_ms: 0, sees_back_ms: 50 } },
      'sim-key': { key: { window_ms: WINDOW_MS } },
    },
  });
});
afterAll(async () => simulator.stop());

async function charge(path: string, key: string, members: Json = {}) {
  const body = aCharge(members);
  return { body, seen: await simulator.post(`${path}/v1/charges`, { key, body }) };
}

async function charged(path = '/full'): Promise<Json & { id: string }> {
  const { body, seen } = await charge(path, randomUUID());
  return { ...body, id: String(seen.body['id']) };
}

test('a charge answers 201 with the whole charge', async () => {
  const { body, seen } = await charge('/full', 'whole');
  expect(seen.status).toBe(201);
  expect(seen.body).toEqual({
    id: expect.stringMatching(/^ch_[0-9a-f]{24}$/) as string,
    object: 'charge',
    status: 'succeeded',
    amount: 1000,
    amount_refunded: 0,
    currency: 'EUR',
    reference: body.reference,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  });
});

describe.each(['/full', '/key'])('a provider that honours keys (%s)', (path) => {
  test('replays the first answer, has one effect and counts both calls', async () => {
    const key = `replay${path}`;
    const body = aCharge();
    const first = await simulator.post(`${path}/v1/charges`, { key, body });
    const spelledOtherwise = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()));
    const second = await simulator.post(`${path}/v1/charges`, { key, body: spelledOtherwise });
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    const ledger = await simulator.ledger(`?source=${body.source}`);
    expect(ledger.effects).toHaveLength(1);
    expect(ledger.calls.map((call) => call['key'])).toEqual([key, key]);
  });

  test('answers a key reused with another body 409 without an effect', async () => {
    const key = `reused${path}`;
    const { body } = await charge(path, key);
    const other = await simulator.post(`${path}/v1/charges`, { key, body: { ...body, amount: 1 } });
    expect(other.status).toBe(409);
    expect(other.body['error']).toMatchObject({ code: 'idempotency_key_reused' });
    expect((await simulator.ledger(`?key=${key}`)).effects).toHaveLength(1);
  });
});

test('a key is new again after its window', async () => {
  const key = 'windowed';
  const body = aCharge();
  const first = await simulator.post('/key/v1/charges', { key, body });
  const later = await eventually(
    () => simulator.post('/key/v1/charges', { key, body }),
    (seen) => seen.headers['idempotent-replayed'] === undefined,
  );
  expect(later.body['id']).not.toBe(first.body['id']);
  const age =
    Date.parse(String(later.body['created_at'])) - Date.parse(String(first.body['created_at']));
  expect(age).toBeGreaterThanOrEqual(WINDOW_MS);
  expect((await simulator.ledger(`?key=${key}`)).effects).toHaveLength(2);
});

test.each(['/lookup', '/blind'])('%s has one effect per call and records the key', async (path) => {
  const key = `ignored${path}`;
  const body = aCharge();
  await simulator.post(`${path}/v1/charges`, { key, body });
  await simulator.post(`${path}/v1/charges`, { key, body });
  const ledger = await simulator.ledger(`?reference=${body.reference}`);
  expect(ledger.effects.map((effect) => effect['key'])).toEqual([key, key]);
});

test('a look-up by reference is empty until the lag has passed, a look-up by id is not', async () => {
  const find = (path: string, reference: unknown) =>
    simulator.get(`${path}/v1/charges?reference=${String(reference)}`);
  const hidden = await charged('/lookup');
  expect((await simulator.get(`/lookup/v1/charges/${hidden.id}`)).body['id']).toBe(hidden.id);
  expect((await find('/lookup', hidden['reference'])).body).toEqual({ data: [] });

  const { id, reference } = await charged();
  const found = await eventually(
    () => find('/full', reference),
    (seen) => (seen.body['data'] as Json[]).length > 0,
  );
  expect(found.body['data']).toMatchObject([{ id, reference, status: 'succeeded' }]);
  const [effect] = (await simulator.ledger(`?reference=${String(reference)}`)).effects;
  const [createdMs, visibleMs] = ['created_at', 'visible_at'].map((member) =>
    Date.parse(String(effect?.[member])),
  );
  expect(visibleMs).toBe(Number(createdMs) + 100);
});

test('a look-up that sees only so far back loses an effect', async () => {
  const { reference } = await charged('/blind');
  await eventually(
    () => simulator.get(`/blind/v1/charges?reference=${String(reference)}`),
    (seen) => (seen.body['data'] as Json[]).length === 0,
  );
  expect((await simulator.ledger(`?reference=${String(reference)}`)).effects).toHaveLength(1);
});

test('without a look-up there is no endpoint, and the question is on record', async () => {
  const { id, reference } = await charged('/key');
  for (const question of [`charges?reference=${String(reference)}`, `charges/${id}`]) {
    const seen = await simulator.get(`/key/v1/${question}`);
    expect([seen.status, seen.body['error']]).toMatchObject([404, { code: 'not_found' }]);
  }
  const { calls } = await simulator.ledger(`?reference=${String(reference)}`);
  expect(calls.map((call) => call['behaviour'])).toEqual(['honest', 'not-offered', 'not-offered']);
});

test('refunds never exceed the charge and carry its source', async () => {
  const { id, source } = await charged();
  const refund = (amount: number, reference: string) =>
    simulator.post('/full/v1/refunds', { key: reference, body: { charge: id, amount, reference } });
  const first = await refund(700, `${id}-1`);
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    object: 'refund',
    charge: id,
    amount: 700,
    status: 'succeeded',
  });
  expect((await refund(301, `${id}-2`)).body['error']).toMatchObject({
    code: 'refund_exceeds_charge',
  });
  expect((await refund(300, `${id}-3`)).status).toBe(201);
  expect((await simulator.get(`/full/v1/charges/${id}`)).body['amount_refunded']).toBe(1000);
  const { effects } = await simulator.ledger(`?source=${String(source)}`);
  expect(effects.map(({ kind, amount, charge }) => [kind, amount, charge])).toEqual([
    ['charge', 1000, null],
    ['refund', 700, id],
    ['refund', 300, id],
  ]);
  const found = await eventually(
    () => simulator.get(`/full/v1/refunds?reference=${id}-1`),
    (seen) => (seen.body['data'] as Json[]).length > 0,
  );
  expect(found.body['data']).toEqual([first.body]);
});

test('a refusal is not saved, so that the call can be corrected under its key', async () => {
  const { id } = await charged();
  const refund = (amount: number) => {
    const body = { charge: id, amount, reference: `${id}-corrected` };
    return simulator.post('/full/v1/refunds', { key: `${id}-corrected`, body });
  };
  expect((await refund(1001)).status).toBe(400);
  expect((await refund(1000)).status).toBe(201);
});

test('a refund under a repeated key is one refund', async () => {
  const { id } = await charged();
  const body = { charge: id, amount: 100, reference: `${id}-r` };
  const first = await simulator.post('/full/v1/refunds', { key: 'refund-key', body });
  const second = await simulator.post('/full/v1/refunds', { key: 'refund-key', body });
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect((await simulator.get(`/full/v1/charges/${id}`)).body['amount_refunded']).toBe(100);
});

test('a voided charge keeps its line as voided and is neither voided nor refunded again', async () => {
  const { id, reference } = await charged('/lookup');
  const path = `/lookup/v1/charges/${id}/void`;
  const voided = await simulator.post(path, { key: 'v1' });
  expect([voided.status, voided.body['status']]).toEqual([200, 'voided']);
  const again = await simulator.post(path, { key: 'v1' });
  expect([again.status, again.body['error']]).toMatchObject([
    400,
    { code: 'charge_already_voided' },
  ]);
  const refund = { charge: id, amount: 1, reference: 'never' };
  const refused = await simulator.post('/lookup/v1/refunds', { body: refund });
  expect([refused.status, refused.body['error']]).toMatchObject([
    400,
    { code: 'charge_not_refundable' },
  ]);
  const { effects } = await simulator.ledger(`?reference=${String(reference)}`);
  expect(effects.map(({ kind, status }) => [kind, status])).toEqual([
    ['charge', 'voided'],
    ['void', 'succeeded'],
  ]);
});

test('a refunded charge cannot be voided as well', async () => {
  const { id } = await charged();
  await simulator.post('/full/v1/refunds', { body: { charge: id, amount: 1, reference: 'part' } });
  const seen = await simulator.post(`/full/v1/charges/${id}/void`);
  expect([seen.status, seen.body['error']]).toMatchObject([
    400,
    { code: 'charge_already_refunded' },
  ]);
});

test('a charge of another provider is unknown', async () => {
  const { id } = await charged('/blind');
  expect((await simulator.get(`/full/v1/charges/${id}`)).status).toBe(404);
  expect((await simulator.post(`/full/v1/charges/${id}/void`)).status).toBe(404);
  const body = { charge: id, amount: 1, reference: 'r' };
  expect((await simulator.post('/full/v1/refunds', { body })).status).toBe(404);
});

test.each([
  ['no JSON', '{"amount":'],
  ['no amount', '{"currency":"EUR","source":"bad","reference":"r"}'],
  ['a fraction', '{"amount":1.5,"currency":"EUR","source":"bad","reference":"r"}'],
  ['nothing', '{"amount":0,"currency":"EUR","source":"bad","reference":"r"}'],
  ['a currency in words', '{"amount":1,"currency":"euro","source":"bad","reference":"r"}'],
])('a charge of %s is refused with 400 and on record without an effect', async (what, body) => {
  const key = `malformed ${what}`;
  const seen = await simulator.post('/full/v1/charges', { key, body });
  expect([seen.status, seen.body['error']]).toMatchObject([400, { code: 'invalid_request' }]);
  const ledger = await simulator.ledger(`?key=${encodeURIComponent(key)}`);
  expect(ledger).toMatchObject({ effects: [], calls: [{ call: 'charge', behaviour: 'invalid' }] });
});
