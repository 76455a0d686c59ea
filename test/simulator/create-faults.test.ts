// Every behaviour that may be programmed on a charge, refund or void: the answer, and the ledger.

import { DOS } from '../../simulator/fault';
import {
  aCharge,
  eventually,
  type Json,
  type Seen,
  silentAfter,
  startUnderTest,
  type UnderTest,
} from './simulator-under-test';

let simulator: UnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterAll(async () => simulator.stop());
afterEach(async () => simulator.administer('DELETE', 'faults'));

interface Row {
  readonly do: string;
  readonly with?: Json;
  readonly sees: Seen['status'];
  readonly shows?: Json;
  /** Statuses of the ledger's charges right after the answer. */
  readonly effects: readonly string[];
  /** What an honest repeat under the same key gets; a replay unless said otherwise. */
  readonly repeat: { readonly sees: number; readonly replayed?: true; readonly effects: number };
}

const REPLAYED = { sees: 201, replayed: true, effects: 1 } as const;
const FRESH = { sees: 201, effects: 1 } as const;
const code = (name: string) => ({ error: expect.objectContaining({ code: name }) as Json });

const ROWS: readonly Row[] = [
  { do: 'ok', sees: 201, shows: { status: 'succeeded' }, effects: ['succeeded'], repeat: REPLAYED },
  {
    do: 'decline',
    sees: 402,
    shows: { object: 'charge', status: 'declined', decline_code: 'card_declined' },
    effects: [],
    repeat: { sees: 402, replayed: true, effects: 0 },
  },
  {
    do: 'pending',
    sees: 201,
    shows: { status: 'pending' },
    effects: ['pending'],
    repeat: REPLAYED,
  },
  {
    do: 'requires-action',
    sees: 201,
    shows: { status: 'requires_action', next_action: { type: 'authenticate' } },
    effects: ['requires_action'],
    repeat: REPLAYED,
  },
  { do: 'slow', with: { delay_ms: 80 }, sees: 201, effects: ['succeeded'], repeat: REPLAYED },
  { do: 'hang', sees: 'silence', effects: [], repeat: FRESH },
  { do: 'timeout-before-effect', sees: 'silence', effects: [], repeat: FRESH },
  { do: 'timeout-after-effect', sees: 'silence', effects: ['succeeded'], repeat: REPLAYED },
  { do: 'reset-before-effect', sees: 'reset', effects: [], repeat: FRESH },
  { do: 'reset-after-effect', sees: 'reset', effects: ['succeeded'], repeat: REPLAYED },
  {
    do: 'http-500-no-effect',
    sees: 500,
    shows: code('internal_error'),
    effects: [],
    repeat: FRESH,
  },
  { do: 'http-500-after-effect', sees: 500, effects: ['succeeded'], repeat: REPLAYED },
  {
    do: 'http-500-stored',
    sees: 500,
    effects: [],
    repeat: { sees: 500, replayed: true, effects: 0 },
  },
  {
    do: 'replay-stored-error',
    sees: 500,
    effects: [],
    repeat: { sees: 500, replayed: true, effects: 0 },
  },
  {
    do: 'http-409-key-in-use',
    sees: 409,
    shows: code('idempotency_key_in_use'),
    effects: [],
    repeat: FRESH,
  },
  { do: 'http-429', sees: 429, shows: code('rate_limited'), effects: [], repeat: FRESH },
  { do: 'http-401', sees: 401, shows: code('unauthenticated'), effects: [], repeat: FRESH },
  {
    do: 'http-400-already-succeeded',
    sees: 400,
    shows: code('already_succeeded'),
    effects: [],
    repeat: FRESH,
  },
  {
    do: 'http-400-already-captured',
    sees: 400,
    shows: code('already_captured'),
    effects: [],
    repeat: FRESH,
  },
  { do: 'garbage', sees: 200, shows: {}, effects: ['succeeded'], repeat: REPLAYED },
  { do: 'forget-keys', sees: 201, effects: ['succeeded'], repeat: { sees: 201, effects: 2 } },
  {
    do: 'late-effect',
    with: { delay_ms: 60_000 },
    sees: 504,
    shows: code('gateway_timeout'),
    effects: [],
    repeat: FRESH,
  },
];

test('every behaviour of a charge has its row here', () => {
  expect(ROWS.map((row) => row.do).sort()).toEqual([...DOS.charge].sort());
});

test.each(ROWS)('$do: answers $sees with effects $effects', async (row) => {
  const body = aCharge();
  const key = `table ${row.do}`;
  await simulator.programme({ on: 'charge', do: row.do, ...row.with });
  const hangUpWhen = silence(row, `?source=${body.source}`);
  const seen = await simulator.post('/full/v1/charges', { key, body, hangUpWhen });
  expect(seen.status).toBe(row.sees);
  expect(seen.body).toMatchObject(row.shows ?? {});
  const ledger = await simulator.ledger(`?source=${body.source}`);
  expect(ledger.effects.map(({ status }) => status)).toEqual(row.effects);
  expect(ledger.calls).toMatchObject([{ call: 'charge', key, behaviour: row.do, amount: 1000 }]);

  const repeat = await simulator.post('/full/v1/charges', { key, body });
  expect(repeat.status).toBe(row.repeat.sees);
  expect(repeat.headers['idempotent-replayed']).toBe(row.repeat.replayed ? 'true' : undefined);
  const after = await simulator.ledger(`?source=${body.source}`);
  expect(after.effects).toHaveLength(row.repeat.effects);
});

test.each(DOS.refund)('refund %s has an effect if and only if a charge would', async (name) => {
  const charge = await charged();
  await simulator.programme({ on: 'refund', do: name, delay_ms: name === 'slow' ? 50 : 0 });
  const body = { charge: charge.id, amount: 400, reference: `refund ${name}` };
  const row = ROWS.find((candidate) => candidate.do === name);
  const hangUpWhen = silence(row, `?key=${name}&source=${charge.source}`);
  const seen = await simulator.post('/full/v1/refunds', { key: name, body, hangUpWhen });
  expect(seen.status).toBe(row?.sees);
  const expected = name === 'late-effect' ? ['succeeded'] : row?.effects;
  const { effects } = await eventually(
    () => simulator.ledger(`?source=${charge.source}`),
    (ledger) => ledger.effects.length === 1 + (expected?.length ?? 0),
  );
  expect(effects.slice(1).map(({ status }) => status)).toEqual(expected);
});

test.each(DOS.void)('void %s has an effect if and only if a charge would', async (name) => {
  const charge = await charged();
  await simulator.programme({ on: 'void', do: name, delay_ms: name === 'slow' ? 50 : 0 });
  const path = `/full/v1/charges/${charge.id}/void`;
  const row = ROWS.find((candidate) => candidate.do === name);
  const hangUpWhen = silence(row, `?key=${name}&source=${charge.source}`);
  const seen = await simulator.post(path, { key: name, hangUpWhen });
  expect(seen.status).toBe(row?.sees === 201 ? 200 : row?.sees);
  const voided = name === 'late-effect' || (row?.effects.length ?? 0) > 0;
  const { effects } = await eventually(
    () => simulator.ledger(`?source=${charge.source}`),
    (ledger) => ledger.effects.length === (voided ? 2 : 1),
  );
  expect(effects[0]?.['status']).toBe(voided ? 'voided' : 'succeeded');
});

test('a declined charge is found by reference although it is no effect', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'decline' });
  await simulator.post('/full/v1/charges', { key: 'declined', body });
  const seen = await simulator.get(`/full/v1/charges?reference=${body.reference}`);
  expect(seen.body['data']).toMatchObject([{ status: 'declined', reference: body.reference }]);
});

test('garbage is a 200 whose body is no JSON', async () => {
  await simulator.programme({ on: 'charge', do: 'garbage' });
  const seen = await simulator.post('/full/v1/charges', { body: aCharge() });
  expect(() => JSON.parse(seen.text) as Json).toThrow(SyntaxError);
});

test('replay-stored-error replays the very error that was stored', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'http-500-stored' });
  await simulator.programme({ on: 'charge', do: 'replay-stored-error', times: 2 });
  const stored = await simulator.post('/full/v1/charges', { key: 'frozen', body });
  const replay = await simulator.post('/full/v1/charges', { key: 'frozen', body });
  expect(stored.headers['idempotent-replayed']).toBeUndefined();
  expect(replay.body).toEqual(stored.body);
  expect(replay.headers['idempotent-replayed']).toBe('true');
  expect((await simulator.ledger(`?source=${body.source}`)).effects).toEqual([]);
});

test('retry_after_s becomes the Retry-After header of a refusal', async () => {
  await simulator.programme({ on: 'any', do: 'http-429', retry_after_s: 7 });
  const seen = await simulator.post('/full/v1/charges', { body: aCharge() });
  expect([seen.status, seen.headers['retry-after']]).toEqual([429, '7']);
});

test('slow holds its key while it lasts', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 60_000 });
  const hangUpWhen = () => simulator.onRecord('?key=held');
  const gone = await simulator.post('/full/v1/charges', { key: 'held', body, hangUpWhen });
  expect(gone.status).toBe('silence');
  const twin = await simulator.post('/full/v1/charges', { key: 'held', body });
  expect([twin.status, twin.body]).toMatchObject([409, code('idempotency_key_in_use')]);
  expect((await simulator.ledger('?key=held')).effects).toEqual([]);
});

test('slow has its effect at the end, once, although its client has hung up', async () => {
  const body = aCharge();
  const key = 'outlived';
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 400 });
  const hangUpWhen = () => simulator.onRecord(`?key=${key}`);
  await simulator.post('/full/v1/charges', { key, body, hangUpWhen });
  const { effects, calls } = await eventually(
    () => simulator.ledger(`?key=${key}`),
    (ledger) => ledger.effects.length > 0,
  );
  expect(sinceMs(calls[0]?.['at'], effects[0]?.['created_at'])).toBeGreaterThanOrEqual(400);
  const repeat = await simulator.post('/full/v1/charges', { key, body });
  expect(repeat.headers['idempotent-replayed']).toBe('true');
  expect((await simulator.ledger(`?key=${key}`)).effects).toHaveLength(1);
});

test('slow holds no key where keys are not honoured', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 150 });
  const slow = simulator.post('/lookup/v1/charges', { key: 'not held', body });
  await simulator.onRecord('?key=not%20held');
  expect((await simulator.post('/lookup/v1/charges', { key: 'not held', body })).status).toBe(201);
  expect((await slow).status).toBe(201);
  expect((await simulator.ledger('?key=not%20held')).effects).toHaveLength(2);
});

test.each([
  ['/full', 1],
  ['/lookup', 2],
])('a late effect behind an honest repeat makes %s have %i', async (path, expected) => {
  const body = aCharge();
  const key = `late ${path}`;
  await simulator.programme({ on: 'charge', do: 'late-effect', delay_ms: 300 });
  expect((await simulator.post(`${path}/v1/charges`, { key, body })).status).toBe(504);
  expect((await simulator.post(`${path}/v1/charges`, { key, body })).status).toBe(201);
  // A later landing is the sign that the earlier one has had its turn.
  const sign = aCharge();
  await simulator.programme({ on: 'charge', do: 'late-effect', delay_ms: 350 });
  await simulator.post(`${path}/v1/charges`, { key: `sign ${path}`, body: sign });
  await eventually(
    () => simulator.ledger(`?source=${sign.source}`),
    (ledger) => ledger.effects.length === 1,
  );
  expect((await simulator.ledger(`?source=${body.source}`)).effects).toHaveLength(expected);
});

test('delay_ms of other behaviours delays the answer, not the effect', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'ok', delay_ms: 60_000 });
  const hangUpWhen = () =>
    eventually(
      () => simulator.ledger(`?source=${body.source}`),
      (ledger) => ledger.effects.length === 1,
    );
  expect((await simulator.post('/full/v1/charges', { body, hangUpWhen })).status).toBe('silence');

  await simulator.programme({ on: 'charge', do: 'http-429', delay_ms: 150 });
  const startedMs = performance.now();
  expect((await simulator.post('/full/v1/charges', { body })).status).toBe(429);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(148);
});

test('visible_after_ms hides the effect from look-ups by reference until then', async () => {
  const charge = async (visibleAfterMs: number): Promise<string> => {
    const body = aCharge();
    await simulator.programme({ on: 'charge', do: 'ok', visible_after_ms: visibleAfterMs });
    await simulator.post('/full/v1/charges', { body });
    const [effect] = (await simulator.ledger(`?source=${body.source}`)).effects;
    expect(sinceMs(effect?.['created_at'], effect?.['visible_at'])).toBe(visibleAfterMs);
    return body.reference;
  };
  const hidden = await charge(60_000);
  expect((await simulator.get(`/full/v1/charges?reference=${hidden}`)).body).toEqual({ data: [] });
  const soon = await charge(100);
  await eventually(
    () => simulator.get(`/full/v1/charges?reference=${soon}`),
    (seen) => (seen.body['data'] as Json[]).length === 1,
  );
});

test('visible_after_ms of a void shows the charge as it was until then', async () => {
  const voided = async (visibleAfterMs: number) => {
    const charge = await charged();
    await simulator.programme({ on: 'void', do: 'ok', visible_after_ms: visibleAfterMs });
    await simulator.post(`/full/v1/charges/${charge.id}/void`);
    return charge;
  };
  const find = (reference: string) => simulator.get(`/full/v1/charges?reference=${reference}`);
  const hidden = await voided(60_000);
  expect((await find(hidden.reference)).body['data']).toMatchObject([{ status: 'succeeded' }]);
  expect((await simulator.get(`/full/v1/charges/${hidden.id}`)).body['status']).toBe('voided');
  const soon = await voided(100);
  await eventually(
    () => find(soon.reference),
    (seen) => (seen.body['data'] as Json[])[0]?.['status'] === 'voided',
  );
});

test('forgotten keys are honoured again once the programme is forgotten', async () => {
  const body = aCharge();
  await simulator.post('/full/v1/charges', { key: 'forgotten', body });
  await simulator.programme({ on: 'charge', do: 'forget-keys' });
  await simulator.post('/full/v1/charges', { key: 'forgotten', body });
  await simulator.post('/full/v1/charges', { key: 'forgotten', body });
  expect((await simulator.ledger('?key=forgotten')).effects).toHaveLength(3);
  await simulator.administer('DELETE', 'faults');
  await simulator.post('/full/v1/charges', { key: 'forgotten', body });
  await simulator.post('/full/v1/charges', { key: 'forgotten', body });
  expect((await simulator.ledger('?key=forgotten')).effects).toHaveLength(4);
});

async function charged(): Promise<{ id: string; reference: string; source: string }> {
  const { reference, source, ...rest } = aCharge();
  const seen = await simulator.post('/full/v1/charges', { body: { reference, source, ...rest } });
  return { id: String(seen.body['id']), reference, source };
}

/** Hangs up on a call that is meant to stay silent, once the ledger has it. */
function silence(row: Row | undefined, query: string): (() => Promise<unknown>) | undefined {
  return row?.sees === 'silence' ? silentAfter(() => simulator.onRecord(query)) : undefined;
}

function sinceMs(from: unknown, to: unknown): number {
  return Date.parse(String(to)) - Date.parse(String(from));
}
