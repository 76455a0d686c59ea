// The fault programme as a queue: which call meets which fault, and what is refused.

import { aCharge, type Json, startUnderTest, type UnderTest } from './simulator-under-test';

let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterAll(async () => simulator.stop());
afterEach(async () => simulator.administer('DELETE', 'faults'));

async function statuses(count: number, members: Json = {}, path = '/full'): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    seen.push((await simulator.post(`${path}/v1/charges`, { body: aCharge(members) })).status);
  }
  return seen;
}

test('faults are used first in first out, each as often as it says', async () => {
  await simulator.programme({ on: 'charge', do: 'http-429', times: 2 });
  await simulator.programme({ on: 'any', do: 'http-401' });
  const { body } = await simulator.administer('GET', 'faults');
  expect(body['faults']).toMatchObject([
    { do: 'http-429', times: 2 },
    { do: 'http-401', times: 1 },
  ]);
  expect(await statuses(4)).toEqual([429, 429, 401, 201]);
  expect((await simulator.administer('GET', 'faults')).body).toEqual({ faults: [] });
});

test('"always" is never used up and ends with DELETE', async () => {
  await simulator.programme({ on: 'charge', do: 'http-429', times: 'always' });
  expect(await statuses(3)).toEqual([429, 429, 429]);
  expect((await simulator.administer('DELETE', 'faults')).body).toEqual({ faults: [] });
  expect(await statuses(1)).toEqual([201]);
});

test('a fault on one kind of call leaves the others honest', async () => {
  await simulator.programme({ on: 'query', do: 'http-429' });
  expect(await statuses(1)).toEqual([201]);
  expect((await simulator.get('/full/v1/charges?reference=x')).status).toBe(429);
});

test.each([
  [{ provider: 'sim-lookup' }, '/lookup', {}],
  [{ amount: 42 }, '/full', { amount: 42 }],
  [{ source: 'card_matched' }, '/full', { source: 'card_matched' }],
  [{ reference: 'matched' }, '/full', { reference: 'matched' }],
])('match %j meets the call it describes and no other', async (match, path, members) => {
  await simulator.programme({ on: 'charge', do: 'http-429', match });
  expect(await statuses(1)).toEqual([201]);
  expect(await statuses(2, members, path)).toEqual([429, 201]);
});

test('match.key meets the call with that key', async () => {
  await simulator.programme({ on: 'charge', do: 'http-429', match: { key: 'this one' } });
  const send = async (key: string) =>
    (await simulator.post('/full/v1/charges', { key, body: aCharge() })).status;
  expect([await send('another'), await send('this one')]).toEqual([201, 429]);
});

describe('on refunds, voids and queries source and reference are those of the charge', () => {
  test.each(['source', 'reference'] as const)('by %s', async (member) => {
    const body = aCharge();
    const { id } = (await simulator.post('/full/v1/charges', { body })).body;
    const refund = { charge: id, amount: 1, reference: `refund by ${member}` };
    await simulator.post('/full/v1/refunds', { body: refund });
    const match = { [member]: body[member] };
    const calls: [string, () => Promise<{ status: unknown }>][] = [
      ['query', () => simulator.get(`/full/v1/charges?reference=${body.reference}`)],
      ['query', () => simulator.get(`/full/v1/charges/${String(id)}`)],
      ['query', () => simulator.get(`/full/v1/refunds?reference=${refund.reference}`)],
      ['refund', () => simulator.post('/full/v1/refunds', { body: refund })],
      ['void', () => simulator.post(`/full/v1/charges/${String(id)}/void`)],
    ];
    for (const [on, call] of calls) {
      await simulator.programme({ on, do: 'http-401', match });
      expect([on, (await call()).status]).toEqual([on, 401]);
    }
  });

  test('also when the charge had no effect and only its call is known', async () => {
    const body = aCharge();
    await simulator.programme({ on: 'charge', do: 'http-500-no-effect' });
    await simulator.post('/full/v1/charges', { body });
    await simulator.programme({ on: 'query', do: 'http-403', match: { source: body.source } });
    const seen = await simulator.get(`/full/v1/charges?reference=${body.reference}`);
    expect(seen.status).toBe(403);
  });
});

test.each([
  [{ on: 'charge', do: 'explode' }, 'timeout-after-effect'],
  [{ on: 'charge', do: 'found' }, 'late-effect'],
  [{ on: 'query', do: 'decline' }, 'not-found'],
  [{ on: 'any', do: 'pending' }, 'http-429'],
  [{ on: 'void', do: 'requires-action' }, 'http-400-already-succeeded'],
  [{ on: 'charge', do: 'status:ODD' }, 'decline'],
  [{ on: 'capture', do: 'ok' }, 'refund'],
  [{ on: 'charge' }, 'do'],
  [{ on: 'charge', do: 'ok', often: 2 }, 'times'],
  [{ on: 'charge', do: 'ok', times: 0 }, 'always'],
  [{ on: 'charge', do: 'ok', times: 'forever' }, 'always'],
  [{ on: 'charge', do: 'ok', delay_ms: -1 }, 'delay_ms'],
  [{ on: 'charge', do: 'ok', emit: 'smoke' }, 'webhook-with-response'],
  [{ on: 'charge', do: 'ok', match: { provider: 'stripe' } }, 'sim-blind'],
  [{ on: 'charge', do: 'ok', match: { colour: 'red' } }, 'source'],
  [{ on: 'query', do: 'ok', emit: 'webhook-with-response' }, 'no effect'],
  [{ on: 'query', do: 'ok', visible_after_ms: 1 }, 'no effect'],
])('%j is refused with a sentence that names %s', async (fault, allowed) => {
  const seen = await simulator.administer('POST', 'faults', fault);
  expect(seen.status).toBe(400);
  expect((seen.body['error'] as Json)['message']).toContain(allowed);
  expect((await simulator.administer('GET', 'faults')).body).toEqual({ faults: [] });
});

test('a call that is malformed uses up no fault', async () => {
  await simulator.programme({ on: 'charge', do: 'http-429' });
  expect((await simulator.post('/full/v1/charges', { body: {} })).status).toBe(400);
  expect(await statuses(1)).toEqual([429]);
});

test('reset forgets the programme, the ledger, the keys and what is under way', async () => {
  const body = aCharge();
  const first = await simulator.post('/full/v1/charges', { key: 'k', body });
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 200 });
  const overtaken = simulator.post('/full/v1/charges', { key: 'slow', body });
  await simulator.programme({ on: 'charge', do: 'http-429' });
  expect((await simulator.administer('POST', 'reset')).status).toBe(200);
  expect(await simulator.ledger()).toEqual({ effects: [], calls: [] });
  expect((await overtaken).status).toBe('reset');
  const again = await simulator.post('/full/v1/charges', { key: 'k', body });
  expect(again.status).toBe(201);
  expect(again.body['id']).not.toBe(first.body['id']);
  expect((await simulator.ledger()).effects).toHaveLength(1);
});

test('the ledger is filtered by source, reference, key and provider, alone or together', async () => {
  await simulator.administer('POST', 'reset');
  const body = aCharge();
  await simulator.post('/full/v1/charges', { key: 'one', body });
  await simulator.post('/lookup/v1/charges', { key: 'two', body });
  const count = async (query: string) => {
    const { effects, calls } = await simulator.ledger(query);
    return [effects.length, calls.length];
  };
  expect(await count(`?source=${body.source}`)).toEqual([2, 2]);
  expect(await count(`?reference=${body.reference}&provider=sim-lookup`)).toEqual([1, 1]);
  expect(await count('?key=one')).toEqual([1, 1]);
  expect(await count(`?key=one&provider=sim-lookup`)).toEqual([0, 0]);
  expect(await count('?source=nobody')).toEqual([0, 0]);
  const bad = await simulator.administer('GET', 'ledger?colour=red');
  expect([bad.status, JSON.stringify(bad.body)]).toEqual([400, expect.stringContaining('source')]);
});
