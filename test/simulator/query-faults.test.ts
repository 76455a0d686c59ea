// Every behaviour that may be programmed on a look-up: the answer, and that the truth stays as it is.

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
  simulator = await startUnderTest({
    contract: {
      'sim-full': { look_up: { lag_ms: 60_000 } },
      'sim-lookup': { look_up: { lag_ms: 0 } },
    },
  });
});
afterAll(async () => simulator.stop());
afterEach(async () => simulator.administer('DELETE', 'faults'));

interface Row {
  readonly do: string;
  readonly sees: Seen['status'];
  /** Amounts in the list of a look-up of one charge of 1000, on a provider without lag. */
  readonly amounts?: readonly number[];
  /** The same while the provider's own lag still hides the charge. */
  readonly unseen?: readonly number[];
}

const ROWS: readonly Row[] = [
  { do: 'ok', sees: 200, amounts: [1000], unseen: [] },
  { do: 'slow', sees: 200, amounts: [1000], unseen: [] },
  { do: 'found', sees: 200, amounts: [1000], unseen: [1000] },
  { do: 'not-found', sees: 200, amounts: [], unseen: [] },
  { do: 'lagging', sees: 200, amounts: [], unseen: [] },
  { do: 'wrong-amount', sees: 200, amounts: [1001], unseen: [1001] },
  { do: 'twice', sees: 200, amounts: [1000, 1000], unseen: [1000, 1000] },
  { do: 'status:SETTLING_X', sees: 200, amounts: [1000], unseen: [1000] },
  { do: 'hang', sees: 'silence' },
  { do: 'timeout', sees: 'silence' },
  { do: 'timeout-before-effect', sees: 'silence' },
  { do: 'timeout-after-effect', sees: 'silence' },
  { do: 'reset-before-effect', sees: 'reset' },
  { do: 'reset-after-effect', sees: 'reset' },
  { do: 'http-500-no-effect', sees: 500 },
  { do: 'http-500-after-effect', sees: 500 },
  { do: 'http-429', sees: 429 },
  { do: 'http-401', sees: 401 },
  { do: 'http-403', sees: 403 },
  { do: 'garbage', sees: 200 },
];

test('every behaviour of a query has its row here', () => {
  const named = ROWS.map((row) => row.do).filter((name) => !name.startsWith('status:'));
  expect(named.sort()).toEqual([...DOS.query].sort());
});

test.each(ROWS)('$do: a look-up sees $sees $amounts', async (row) => {
  const { body } = await charged('/lookup');
  const fault = row.do === 'slow' || row.do === 'lagging' ? { delay_ms: 150 } : {};
  await simulator.programme({ on: 'query', do: row.do, ...fault });
  const before = await simulator.ledger(`?source=${body.source}`);
  const received = silentAfter(() => simulator.onRecord(`?source=${body.source}`, 2));
  const hangUpWhen = row.sees === 'silence' ? received : undefined;
  const path = `/lookup/v1/charges?reference=${body.reference}`;
  const seen = await simulator.get(path, { hangUpWhen });
  expect(seen.status).toBe(row.sees);
  expect(amounts(seen)).toEqual(row.amounts);
  const after = await simulator.ledger(`?source=${body.source}`);
  expect(after.calls.at(-1)).toMatchObject({ call: 'query', behaviour: row.do });
  expect(after.effects.map(withoutVisibility)).toEqual(before.effects.map(withoutVisibility));
});

test.each(ROWS.filter((row) => row.unseen !== undefined))(
  '$do: a look-up inside the lag sees $unseen',
  async (row) => {
    const { body } = await charged('/full');
    await simulator.programme({ on: 'query', do: row.do, delay_ms: 20 });
    const seen = await simulator.get(`/full/v1/charges?reference=${body.reference}`);
    expect(amounts(seen)).toEqual(row.unseen);
  },
);

test.each(['found', 'wrong-amount', 'twice', 'status:odd'])(
  '%s invents nothing where nothing exists',
  async (name) => {
    await simulator.programme({ on: 'query', do: name });
    const seen = await simulator.get('/lookup/v1/charges?reference=never-sent');
    expect(seen.body).toEqual({ data: [] });
  },
);

test('twice shows two ids under one reference while the ledger has one', async () => {
  const { body, id } = await charged('/lookup');
  await simulator.programme({ on: 'query', do: 'twice' });
  const seen = await simulator.get(`/lookup/v1/charges?reference=${body.reference}`);
  const [first, second] = seen.body['data'] as [Json, Json];
  expect(first['id']).toBe(id);
  expect(second['id']).not.toBe(id);
  expect((await simulator.ledger(`?source=${body.source}`)).effects).toHaveLength(1);
});

test('lagging stays empty until its delay and then tells the truth, even when it always lags', async () => {
  const { body } = await charged('/lookup');
  await simulator.programme({ on: 'query', do: 'lagging', delay_ms: 400, times: 'always' });
  const find = () => simulator.get(`/lookup/v1/charges?reference=${body.reference}`);
  expect(amounts(await find())).toEqual([]);
  await eventually(find, (seen) => amounts(seen)?.length === 1);
  const { calls } = await simulator.ledger(`?source=${body.source}`);
  const [first, last] = [calls[1], calls.at(-1)].map((call) => Date.parse(String(call?.['at'])));
  expect(Number(last) - Number(first)).toBeGreaterThanOrEqual(390);
});

test('a lagging of one call also hides the effect from the honest look-ups after it', async () => {
  const { body } = await charged('/lookup');
  await simulator.programme({ on: 'query', do: 'lagging', delay_ms: 60_000 });
  const find = () => simulator.get(`/lookup/v1/charges?reference=${body.reference}`);
  await find();
  expect(amounts(await find())).toEqual([]);
});

test.each([
  ['not-found', 404, undefined],
  ['wrong-amount', 200, 1001],
  ['status:odd', 200, 1000],
  ['found', 200, 1000],
])('%s by id answers %s', async (name, status, amount) => {
  const { id } = await charged('/full');
  await simulator.programme({ on: 'query', do: name });
  const seen = await simulator.get(`/full/v1/charges/${id}`);
  expect([seen.status, seen.body['amount']]).toEqual([status, amount]);
});

test('not-found hides a refund from a look-up of refunds', async () => {
  const { id } = await charged('/lookup');
  const reference = `refund of ${id}`;
  await simulator.post('/lookup/v1/refunds', { body: { charge: id, amount: 1, reference } });
  const find = () => simulator.get(`/lookup/v1/refunds?reference=${encodeURIComponent(reference)}`);
  await simulator.programme({ on: 'query', do: 'not-found' });
  expect(amounts(await find())).toEqual([]);
  expect(amounts(await find())).toEqual([1]);
});

test('a look-up without a reference is refused', async () => {
  expect((await simulator.get('/lookup/v1/charges')).status).toBe(400);
});

async function charged(path: string) {
  const body = aCharge();
  const seen = await simulator.post(`${path}/v1/charges`, { body });
  return { body, id: String(seen.body['id']) };
}

function amounts(seen: Seen): unknown[] | undefined {
  const data = seen.body['data'] as Json[] | undefined;
  return data?.map((item) => item['amount']);
}

function withoutVisibility(effect: Json): Json {
  return { ...effect, visible_at: null };
}
