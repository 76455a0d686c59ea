// Notifications to the API: signature, content, what they settle, and what a dead API looks like.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

import {
  aCharge,
  eventually,
  type Json,
  SECRET,
  startUnderTest,
  type UnderTest,
} from './simulator-under-test';

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Json & { readonly data: { readonly charge: Json; readonly refund: Json } };
  readonly atMs: number;
}

let api: Server;
let simulator: UnderTest;
let received: Received[] = [];
/** Runs inside the API before it answers. */
let whileAnswering: () => Promise<void> = async () => Promise.resolve();

beforeAll(async () => {
  api = createServer((request, response) => {
    void text(request).then(async (raw) => {
      const body = JSON.parse(raw) as Received['body'];
      const { headers, url = '' } = request;
      received.push({ url, headers, raw, body, atMs: Date.now() });
      await whileAnswering();
      response.writeHead(202).end();
    });
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  simulator = await startUnderTest({ apiUrl: `http://127.0.0.1:${port}/` });
});
afterAll(async () => {
  await simulator.stop();
  api.close();
});
beforeEach(() => {
  received = [];
  whileAnswering = async () => Promise.resolve();
});
afterEach(async () => {
  await simulator.administer('DELETE', 'faults');
  await simulator.administer('PUT', 'settings', { notify: 'off' });
});

async function charged(members: Json = {}, path = '/full') {
  const body = aCharge(members);
  const seen = await simulator.post(`${path}/v1/charges`, { key: body.reference, body });
  return { ...body, id: String(seen.body['id']) };
}

async function notify(command: Json): Promise<Json> {
  const seen = await simulator.administer('POST', 'notifications', command);
  expect(seen.status).toBe(200);
  return seen.body;
}

function arrived(count = 1): Promise<Received[]> {
  return eventually(
    () => Promise.resolve(received),
    (all) => all.length >= count,
  );
}

function isSigned({ raw, headers }: Received): boolean {
  try {
    new Webhook(SECRET).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

async function statusOf(reference: string): Promise<unknown> {
  return (await simulator.ledger(`?reference=${reference}`)).effects[0]?.['status'];
}

test('a notification is a signed event about the charge as the provider shows it', async () => {
  const { id, reference } = await charged();
  const report = await notify({ about: reference, event_id: 'evt_mine' });
  expect(report).toEqual({ event_id: 'evt_mine', deliveries: [{ status: 202 }] });
  const [event] = await arrived();
  expect(event?.url).toBe('/v1/providers/sim-full/notifications');
  expect(event?.headers['webhook-id']).toBe('evt_mine');
  expect(event && isSigned(event)).toBe(true);
  expect(event?.body).toEqual({
    id: 'evt_mine',
    type: 'charge.succeeded',
    created_at: expect.stringMatching(/\.\d{3}Z$/) as string,
    data: { charge: (await simulator.get(`/full/v1/charges/${id}`)).body },
  });
});

test('a charge is named by its id as well as by its reference', async () => {
  const { id } = await charged({}, '/lookup');
  await notify({ about: id });
  const [event] = await arrived();
  expect([event?.url, event?.body.data.charge['id']]).toEqual([
    '/v1/providers/sim-lookup/notifications',
    id,
  ]);
});

test.each(['forged', 'stale'])(
  'a %s signature does not verify and settles nothing',
  async (signature) => {
    await simulator.programme({ on: 'charge', do: 'pending' });
    const { reference } = await charged();
    await notify({ about: reference, signature });
    const [event] = await arrived();
    expect(event && isSigned(event)).toBe(false);
    expect(await statusOf(reference)).toBe('pending');
  },
);

test('a stale signature is the right one for its time', async () => {
  const { reference } = await charged();
  await notify({ about: reference, signature: 'stale' });
  const [event] = await arrived();
  const atMs = Number(event?.headers['webhook-timestamp']) * 1000;
  expect(Date.now() - atMs).toBeGreaterThan(5 * 60_000);
  const expected = new Webhook(SECRET).sign(
    String(event?.headers['webhook-id']),
    new Date(atMs),
    event?.raw ?? '',
  );
  expect(event?.headers['webhook-signature']).toBe(expected);
});

test.each([
  ['pending', 'charge.succeeded', 'succeeded', 'succeeded'],
  ['pending', 'charge.failed', undefined, 'declined'],
  ['requires-action', 'charge.succeeded', 'succeeded', 'succeeded'],
  ['pending', 'charge.updated', 'pending', 'pending'],
])('%s then %s leaves %s in the ledger before the API hears of it', async (...row) => {
  const [fault, type, inLedger, said] = row;
  await simulator.programme({ on: 'charge', do: fault });
  const { reference } = await charged();
  let whileNotified: unknown = 'never asked';
  whileAnswering = async () => {
    whileNotified = await statusOf(reference);
  };
  await notify({ about: reference, type });
  expect(whileNotified).toBe(inLedger);
  expect((await arrived())[0]?.body.data.charge['status']).toBe(said);
  const seen = await simulator.get(`/full/v1/charges?reference=${reference}`);
  expect(seen.body['data']).toMatchObject([{ status: said }]);
});

test('a failure of a settled charge is a lie that changes nothing', async () => {
  const { reference } = await charged();
  await notify({ about: reference, type: 'charge.failed' });
  expect((await arrived())[0]?.body.data.charge['status']).toBe('declined');
  expect(await statusOf(reference)).toBe('succeeded');
});

test('a success of a charge without an effect is a lie that invents nothing', async () => {
  await simulator.programme({ on: 'charge', do: 'timeout-before-effect' });
  const body = aCharge({ amount: 777 });
  const hangUpWhen = () => simulator.onRecord(`?source=${body.source}`);
  await simulator.post('/lookup/v1/charges', { body, hangUpWhen });
  await notify({ about: body.reference });
  const [event] = await arrived();
  expect(event?.url).toContain('sim-lookup');
  expect(event?.body.data.charge).toMatchObject({ amount: 777, reference: body.reference });
  expect((await simulator.ledger(`?reference=${body.reference}`)).effects).toEqual([]);
});

test('an amount may be told that is not the charge’s', async () => {
  const { reference } = await charged();
  await notify({ about: reference, amount: 1 });
  expect((await arrived())[0]?.body.data.charge['amount']).toBe(1);
  expect((await simulator.ledger(`?reference=${reference}`)).effects[0]?.['amount']).toBe(1000);
});

test.each([false, true])('times repeats one event, parallel %s', async (parallel) => {
  const { reference } = await charged();
  let open = 0;
  let most = 0;
  whileAnswering = async () => {
    most = Math.max(most, (open += 1));
    await eventually(
      () => Promise.resolve(open),
      (now) => now === 3 || !parallel,
    );
    await new Promise(setImmediate);
    if (!parallel) open -= 1;
  };
  const report = await notify({ about: reference, times: 3, parallel });
  expect(report['deliveries']).toEqual([{ status: 202 }, { status: 202 }, { status: 202 }]);
  expect(most).toBe(parallel ? 3 : 1);
  expect(new Set(received.map((event) => event.headers['webhook-id'])).size).toBe(1);
});

test('delay_ms sends later', async () => {
  const { reference } = await charged();
  const startedMs = Date.now();
  await notify({ about: reference, delay_ms: 200 });
  expect(Number(received[0]?.atMs) - startedMs).toBeGreaterThanOrEqual(199);
});

test('a failed pending refund gives the money back to the charge', async () => {
  const { id } = await charged();
  await simulator.programme({ on: 'refund', do: 'pending' });
  const reference = `refund of ${id}`;
  await simulator.post('/full/v1/refunds', { body: { charge: id, amount: 600, reference } });
  expect((await simulator.get(`/full/v1/charges/${id}`)).body['amount_refunded']).toBe(600);
  await notify({ about: reference, type: 'refund.failed' });
  expect((await arrived())[0]?.body.data.refund).toMatchObject({ status: 'declined', charge: id });
  expect((await simulator.get(`/full/v1/charges/${id}`)).body['amount_refunded']).toBe(0);
});

test('an unreachable API is a delivery with status 0 and the reason', async () => {
  const deaf = await startUnderTest({ apiUrl: 'http://127.0.0.1:1' });
  const seen = await deaf.administer('POST', 'notifications', { about: 'anything' });
  await deaf.stop();
  expect(seen.body['deliveries']).toEqual([
    { status: 0, error: expect.stringContaining('ECONNREFUSED') as string },
  ]);
});

test.each([
  [{}, 'about'],
  [{ about: 'x', colour: 'red' }, 'event_id'],
  [{ about: 'x', signature: 'crooked' }, 'forged'],
])('the command %j is refused with a sentence that names %s', async (command, allowed) => {
  const seen = await simulator.administer('POST', 'notifications', command);
  expect([seen.status, JSON.stringify(seen.body)]).toEqual([400, expect.stringContaining(allowed)]);
  expect(received).toEqual([]);
});

describe('emit', () => {
  test('webhook-before-response is answered by the API before the client is', async () => {
    const order: string[] = [];
    whileAnswering = async () => {
      order.push('API');
      await new Promise(setImmediate);
    };
    await simulator.programme({ on: 'charge', do: 'ok', emit: 'webhook-before-response' });
    const { id } = await charged();
    order.push('client');
    expect(order).toEqual(['API', 'client']);
    expect(received[0]?.body).toMatchObject({ type: 'charge.succeeded', data: { charge: { id } } });
  });

  test('webhook-with-response does not wait for the API', async () => {
    let answer: () => void = () => undefined;
    whileAnswering = async () => new Promise((resolve) => (answer = resolve));
    await simulator.programme({ on: 'charge', do: 'ok', emit: 'webhook-with-response' });
    const { id } = await charged();
    await arrived();
    answer();
    expect(received[0]?.body.data.charge['id']).toBe(id);
  });

  test.each(['timeout-after-effect', 'reset-after-effect', 'garbage'])(
    'goes out although the answer of %s is lost',
    async (name) => {
      await simulator.programme({ on: 'charge', do: name, emit: 'webhook-before-response' });
      const body = aCharge();
      await simulator.post('/lookup/v1/charges', { body, hangUpWhen: () => arrived() });
      expect((await arrived())[0]?.body.data.charge['reference']).toBe(body.reference);
    },
  );

  test('a late effect is announced when it lands, not when it is answered', async () => {
    const fault = { do: 'late-effect', delay_ms: 200, emit: 'webhook-with-response' };
    await simulator.programme({ on: 'charge', ...fault });
    const { reference } = await charged();
    const [event] = await arrived();
    const { calls } = await simulator.ledger(`?reference=${reference}`);
    const receivedMs = Date.parse(String(calls[0]?.['at']));
    expect(Number(event?.atMs) - receivedMs).toBeGreaterThanOrEqual(200);
    expect(await statusOf(reference)).toBe('succeeded');
  });

  test('says nothing where nothing happened', async () => {
    const emit = 'webhook-before-response';
    await simulator.programme({ on: 'charge', do: 'http-500-no-effect', emit });
    await charged();
    expect(received).toEqual([]);
  });
});

describe('notify: on', () => {
  beforeEach(async () => simulator.administer('PUT', 'settings', { notify: 'on' }));

  test('tells of every change of state by itself', async () => {
    const first = await charged();
    await simulator.post('/full/v1/refunds', {
      body: { charge: first.id, amount: 1, reference: `r of ${first.id}` },
    });
    const second = await charged();
    await simulator.post(`/full/v1/charges/${second.id}/void`);
    await simulator.programme({ on: 'charge', do: 'decline' });
    await charged();
    await simulator.programme({ on: 'charge', do: 'pending' });
    await charged();
    const events = await arrived(6);
    expect(events.map((event) => event.body['type']).sort()).toEqual([
      'charge.failed',
      'charge.pending',
      'charge.succeeded',
      'charge.succeeded',
      'charge.voided',
      'refund.succeeded',
    ]);
  });

  test('keeps quiet about replays and for providers without notifications', async () => {
    const body = aCharge();
    await simulator.post('/key/v1/charges', { body });
    await simulator.post('/blind/v1/charges', { body });
    await simulator.post('/full/v1/charges', { key: 'again', body });
    await simulator.post('/full/v1/charges', { key: 'again', body });
    // The last event ends the wait: were there others of earlier calls, they would be here.
    const last = await charged();
    await eventually(
      () => Promise.resolve(received),
      (all) => all.some((event) => event.body.data.charge['id'] === last.id),
    );
    expect(received.map((event) => event.url)).toEqual(
      Array(2).fill('/v1/providers/sim-full/notifications'),
    );
  });
});
