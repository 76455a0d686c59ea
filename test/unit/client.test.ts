/** The typed client before a gateway that fails, refuses, and takes its time. */
import { Client } from '../../client/client';
import { NoAnswerError, ProblemError } from '../../client/errors';
import { pauseMs, readRetryAfter, RESENDING } from '../../client/resend';
import { type ParametersOf } from '../../client/types';
import { intentView } from '../../api/intent-view';
import { problemAnswer, type ProblemName } from '../../api/problem';
import { type IntentRow } from '../../store/intent-row';
import { intentRow } from '../support/intent-row';
import { type Scripted, scriptedGateway } from '../support/scripted-gateway';

const BODY: ParametersOf<'payment.charge'> = {
  amount: 1000,
  currency: 'EUR',
  source: 'card_1',
  reference: 'order-1',
};
const KEY = '0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c';
const QUICK = { tries: 4, firstPauseMs: 2, longestPauseMs: 10 };

const view = (changes: Partial<IntentRow>) =>
  intentView(intentRow(changes), { ownsIntent: true, deskUrl: 'http://desk' });
const SUCCEEDED = { status: 201, body: view({ status: 'succeeded' }) };
const UNKNOWN = { status: 202, body: view({ status: 'unknown' }) };

/** A problem as the gateway makes it. */
function problem(name: ProblemName, changes: Partial<IntentRow> | null = null): Scripted {
  const intent = changes === null ? {} : { intent: view(changes) };
  const { status, headers, body } = problemAnswer(name, { members: intent });
  return { status, headers, body };
}

const open: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A client before a scripted gateway. */
async function before(...script: readonly Scripted[]) {
  const gateway = await scriptedGateway(...script);
  open.push(gateway);
  const client = new Client({ baseUrl: `${gateway.url}/`, token: 't', resending: QUICK });
  return { client, arrived: gateway.arrived, url: gateway.url };
}

describe('the same request is sent again', () => {
  test.each<[string, Scripted]>([
    ['when the connection is cut', 'cut'],
    ['when the answer is cut short', 'cut-in-mid-answer'],
    ['after 500', problem('internal-error')],
    ['after 503', problem('store-unavailable')],
    ['after 429', problem('rate-limited')],
    ['after 408', problem('request-timeout')],
    ['after a proxy’s 502', { status: 502, headers: { 'content-type': 'text/html' } }],
    ['after an answer that is no JSON', { status: 201, headers: { 'content-length': '0' } }],
  ])('%s', async (_, fault) => {
    const { client, arrived } = await before(fault, fault, SUCCEEDED);
    const result = await client.create('payment.charge', BODY, { idempotencyKey: KEY, wait: 5 });
    expect(result.status).toBe('succeeded');
    expect(arrived).toHaveLength(3);
    // Byte for byte the same, key included.
    const sent = arrived.map(({ headers, body }) => [headers['idempotency-key'], body]);
    expect(sent).toEqual(Array(3).fill([KEY, JSON.stringify(BODY)]));
    expect(arrived[2]?.headers['prefer']).toBe('wait=5');
  });

  test('when nothing comes, and the word for the end is that nothing is known', async () => {
    const { url } = await before('silence');
    const client = new Client({ baseUrl: url, token: 't', answerWithinMs: 60, resending: QUICK });
    const error: unknown = await client
      .create('payment.charge', BODY, { idempotencyKey: KEY, wait: 0 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      tries: 4,
      message: expect.stringMatching(/same idempotency key/) as string,
    });
  });

  test('no oftener than allowed: the last refusal is the error', async () => {
    const { client, arrived } = await before(problem('overloaded'));
    await expect(
      client.create('payment.charge', BODY, { idempotencyKey: KEY }),
    ).rejects.toMatchObject({ name: 'ProblemError', problem: 'overloaded', status: 503 });
    expect(arrived).toHaveLength(QUICK.tries);
  });

  test.each<[string, Scripted]>([
    ['an answer was lost', 'cut'],
    ['a fault of the gateway’s', problem('internal-error')],
    ['a store that was lost, maybe after the claim', problem('store-unavailable')],
  ])('and where %s before it, that refusal is no proof of anything', async (_, doubt) => {
    const { client } = await before(doubt, problem('overloaded'));
    const error: unknown = await client
      .create('payment.charge', BODY, { idempotencyKey: KEY })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ cause: { name: 'ProblemError', problem: 'overloaded' } });
  });

  test('and where only something was to be read, it is the error all the same', async () => {
    const { client } = await before('cut', problem('store-unavailable'));
    await expect(client.get('an-id')).rejects.toBeInstanceOf(ProblemError);
  });

  test('not before Retry-After is over', async () => {
    const { client, arrived } = await before(
      { ...(problem('rate-limited') as object), status: 429, headers: { 'retry-after': '1' } },
      SUCCEEDED,
    );
    await client.create('payment.charge', BODY, { idempotencyKey: KEY });
    expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).toBeGreaterThanOrEqual(995);
  });

  test('not when the caller has given up', async () => {
    const { client, arrived } = await before('silence');
    const giveUp = new AbortController();
    const asked = client.create('payment.charge', BODY, {
      idempotencyKey: KEY,
      signal: giveUp.signal,
    });
    while (arrived.length === 0) await new Promise(setImmediate);
    giveUp.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(arrived).toHaveLength(1);
  });

  test.each<[string, Scripted]>([
    ['400', problem('invalid-parameters')],
    ['401', problem('unauthenticated')],
    ['403', problem('forbidden')],
    ['404', problem('not-found')],
    ['409', problem('business-key-taken', { status: 'succeeded' })],
    ['422', problem('idempotency-key-reused', { status: 'succeeded' })],
  ])('never after %s', async (_, refusal) => {
    const { client, arrived } = await before(refusal);
    await expect(
      client.create('payment.charge', BODY, { idempotencyKey: KEY }),
    ).rejects.toBeInstanceOf(ProblemError);
    expect(arrived).toHaveLength(1);
  });

  test('nor is a redirect followed: token and key are for this address', async () => {
    const { client, arrived } = await before({ status: 307, headers: { location: '/elsewhere' } });
    await expect(
      client.create('payment.charge', BODY, { idempotencyKey: KEY }),
    ).rejects.toBeInstanceOf(NoAnswerError);
    expect(new Set(arrived.map(({ url }) => url))).toEqual(new Set(['/v1/intents/payment.charge']));
  });
});

describe('an answer becomes a result', () => {
  test.each<[string, Scripted, object]>([
    ['201', SUCCEEDED, { status: 'succeeded', httpStatus: 201, isRepeat: false }],
    [
      'a repeat',
      { ...SUCCEEDED, headers: { 'idempotency-replayed': 'true' } },
      { status: 'succeeded', isRepeat: true },
    ],
    [
      '202',
      { ...UNKNOWN, headers: { 'retry-after': '7' } },
      { status: 'unknown', retryAfterMs: 7_000, verdict: { new_key: 'forbidden' } },
    ],
    ['202 without a header', UNKNOWN, { status: 'unknown' }],
    [
      'a rejection',
      problem('effect-rejected', { status: 'failed' }),
      { status: 'failed', httpStatus: 422, verdict: { new_key: 'safe' } },
    ],
    [
      'absence',
      problem('effect-not-applied', { status: 'failed' }),
      { status: 'failed', httpStatus: 422 },
    ],
    ['a cancel', problem('canceled', { status: 'canceled' }), { status: 'canceled' }],
    ['a tombstone', problem('intent-expired', { status: 'succeeded' }), { status: 'succeeded' }],
  ])('%s', async (_, scripted, expected) => {
    const { client } = await before(scripted);
    const result = await client.create('payment.charge', BODY, { idempotencyKey: KEY });
    expect(result).toMatchObject(expected);
  });

  test('a refusal becomes an error with the intent that stands in the way', async () => {
    const { client } = await before(problem('business-key-taken', { status: 'pending' }));
    const error: unknown = await client
      .create('payment.charge', BODY, { idempotencyKey: KEY })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      problem: 'business-key-taken',
      status: 409,
      intent: { status: 'pending' },
    });
  });
});

describe('waiting for the outcome', () => {
  const at = (status: IntentRow['status']): Scripted => ({
    status: 200,
    headers: { 'retry-after': '0' },
    body: view({ status }),
  });

  test('asks until it has ended', async () => {
    const { client, arrived } = await before(at('pending'), at('unknown'), at('succeeded'));
    expect((await client.waitForOutcome('an-id')).status).toBe('succeeded');
    expect(arrived.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });

  test('goes on from a result, and ends where a person must decide', async () => {
    const { client, arrived } = await before(at('unknown'), at('in_review'));
    const result = await client.waitForOutcome(await client.get('an-id'));
    expect(result.status).toBe('in_review');
    expect(arrived).toHaveLength(2);
  });

  test('tells an unknown when the time is over, and throws nothing', async () => {
    const { client } = await before({ ...UNKNOWN, status: 200, headers: { 'retry-after': '9' } });
    expect(await client.waitForOutcome('an-id', { limitMs: 200 })).toMatchObject({
      status: 'unknown',
      verdict: { new_key: 'forbidden' },
    });
  });
});

test('a feed is read page by page, from the last cursor on, through a cut', async () => {
  const event = { id: 'i.1' };
  const { client, arrived } = await before(
    { status: 200, body: { data: [event], next_cursor: 'c1' } },
    'cut',
    { status: 200, body: { data: [], next_cursor: 'c1' } },
    { status: 200, body: { data: [event], next_cursor: 'c2' } },
  );
  const cursors: string[] = [];
  for await (const page of client.events({ after: 'c0', limit: 5 })) {
    cursors.push(page.next_cursor);
    if (cursors.length === 2) break;
  }
  expect(cursors).toEqual(['c1', 'c2']);
  expect(arrived.map(({ url }) => url)).toEqual([
    '/v1/events?after=c0&limit=5',
    ...Array<string>(3).fill('/v1/events?after=c1&limit=5'),
  ]);
});

test('a list is asked for by its filters, a cancel by its path', async () => {
  const { client, arrived } = await before(
    { status: 200, body: { data: [], next_cursor: null } },
    { status: 200, body: view({ status: 'canceled' }) },
  );
  await client.list({ operation: 'payment.charge', idempotencyKey: 'a b', limit: 3 });
  expect((await client.cancel('an/id', { wait: 0 })).status).toBe('canceled');
  expect(arrived.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`)).toEqual([
    'GET /v1/intents?operation=payment.charge&limit=3&idempotency_key=a+b',
    'POST /v1/intents/an%2Fid/cancel',
  ]);
  expect(arrived[1]?.headers['prefer']).toBe('respond-async');
});

test('a decision that got no answer is sent again, with its id; what comes of it is told', async () => {
  const decision = { decision_id: 'case-17', state: 'proposed' };
  const body = { ...view({ status: 'in_review' }), decision };
  const { client, arrived } = await before('cut', { status: 202, body }, { status: 202, body });
  const decided = await client.decide('an/id', {
    decision_id: 'case-17',
    decision: 'applied',
    evidence: 'line 7',
    reason: 'charged',
  });
  expect(decided).toMatchObject({ status: 'in_review', decision });
  expect(arrived[1]?.body).toBe(arrived[0]?.body);
  await client.approve('an/id', 'case:17');
  expect(arrived.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`)).toEqual([
    ...Array<string>(2).fill('POST /v1/intents/an%2Fid/decisions'),
    'POST /v1/intents/an%2Fid/decisions/case%3A17/approve',
  ]);
});

test.each([
  ['abc', 'abc'],
  ['order 1, part 2', '"order 1, part 2"'],
  ['say "x" \\', '"say \\"x\\" \\\\"'],
])('the key %s is sent as %s', async (idempotencyKey, header) => {
  const { client, arrived } = await before(SUCCEEDED);
  await client.create('payment.charge', BODY, { idempotencyKey });
  expect(arrived[0]?.headers['idempotency-key']).toBe(header);
});

test('pauses grow at random on top of Retry-After, within bounds', () => {
  const pauses = (next: number): readonly number[] =>
    Array.from({ length: 200 }, () => pauseMs(next, 1_000, RESENDING));
  expect(Math.min(...pauses(2))).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...pauses(2))).toBeLessThanOrEqual(1_250);
  expect(Math.max(...pauses(20))).toBeLessThanOrEqual(11_000);
  expect(new Set(pauses(5)).size).toBeGreaterThan(100);
});

test('Retry-After may be seconds or a date, and nonsense is none', () => {
  expect(readRetryAfter('3')).toBe(3_000);
  expect(readRetryAfter(new Date(Date.now() + 5_000).toUTCString())).toBeGreaterThan(3_500);
  expect(readRetryAfter('86400')).toBe(120_000);
  expect([null, '', 'soon', '-1'].map(readRetryAfter)).toEqual([0, 0, 0, 0]);
});
