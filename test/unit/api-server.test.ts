/** The routes over a store of answers: what is refused, in which order, and what was asked meanwhile. */
import pg from 'pg';
import {
  answer,
  BODY,
  charge,
  claimed,
  PATH,
  RECORDED,
  repeated,
  SUCCEEDED,
} from '../support/gateway-request';
import { ACME, FINGERPRINTS, gatewayUnderTest, OPERATOR } from '../support/gateway-under-test';

describe('a first request', () => {
  test('is recorded, started and answered 202 with the way to its state', async () => {
    const { status, headers, body, asked, started } = await answer(charge());
    expect(status).toBe(202);
    expect(headers).toMatchObject({
      location: `/v1/intents/${RECORDED.id}`,
      'retry-after': '4',
      'cache-control': 'no-store',
      'preference-applied': 'respond-async',
    });
    expect(headers['idempotency-replayed']).toBeUndefined();
    expect(body).toMatchObject({ id: RECORDED.id, status: 'accepted' });
    expect(asked).toEqual(['find-caller', 'find-intent', 'claim-intent']);
    expect(started.map(({ id }) => id)).toEqual([RECORDED.id]);
  });

  test('that waits asks the store four times in all', async () => {
    const { app, asked, gateway } = gatewayUnderTest(claimed);
    const answering = app.inject(charge({ headers: { prefer: 'wait=30' } }));
    while (gateway.waiters.size === 0) await new Promise(setImmediate);
    gateway.waiters.wake(RECORDED.id);
    expect((await answering).statusCode).toBe(201);
    expect(asked).toEqual(['find-caller', 'find-intent', 'claim-intent', 'read-intent']);
  });

  test('of a token that is known asks for caller and intent at once', async () => {
    const { app, asked } = gatewayUnderTest(repeated);
    await app.inject(charge());
    asked.length = 0;
    expect((await app.inject(charge())).statusCode).toBe(201);
    // Told by the store both times: what is remembered of a token never lets anybody in.
    expect(asked).toEqual(['find-caller', 'find-intent']);
  });

  test('of a token that is another tenant’s now is looked for anew, under that tenant', async () => {
    const holders = [ACME, { ...ACME, tenant: 'globex' }];
    const named: unknown[] = [];
    const { app, asked } = gatewayUnderTest({
      ...claimed,
      'find-caller': () => holders.splice(0, 1),
      'find-intent': (values) => {
        named.push(values.slice(0, 1).concat(values.slice(2)));
        return [];
      },
    });
    await app.inject(charge());
    asked.length = 0;
    await app.inject(charge());
    expect(asked).toEqual(['find-caller', 'find-intent', 'find-intent', 'claim-intent']);
    expect(named[2]).toEqual(['globex', expect.any(Buffer)]);
    expect(named[2]).not.toEqual(named[1]);
  });

  test('of a token that was revoked meanwhile is 401, known or not', async () => {
    const holders = [[ACME], []];
    const { app, asked } = gatewayUnderTest({
      ...repeated,
      'find-caller': () => holders.shift() ?? [],
    });
    expect((await app.inject(charge())).statusCode).toBe(201);
    asked.length = 0;
    expect((await app.inject(charge())).statusCode).toBe(401);
    expect(asked).toEqual(['find-caller', 'find-intent']);
  });

  test('stays accepted, and says so, where Temporal cannot be reached', async () => {
    const { app } = gatewayUnderTest(claimed, { startWorkflow: () => Promise.resolve(false) });
    const { statusCode, payload } = await app.inject(charge());
    expect(statusCode).toBe(202);
    expect(JSON.parse(payload)).toMatchObject({
      status: 'accepted',
      reason: expect.stringContaining('cannot be reached') as string,
    });
  });

  test.each([['claim-intent'], ['find-intent']])(
    'is no refusal where the store is lost after the %s that found its identity claimed',
    async (statement) => {
      const answering = async () => {
        const { app, gateway } = gatewayUnderTest({
          [statement]: [RECORDED],
          'read-intent': () => {
            throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
          },
        });
        const reply = app.inject(charge({ headers: { prefer: 'wait=30' } }));
        while (gateway.waiters.size === 0) await new Promise(setImmediate);
        gateway.waiters.wake(RECORDED.id);
        return reply;
      };
      const { statusCode, headers, payload } = await answering();
      expect([statusCode, headers['location']]).toEqual([202, `/v1/intents/${RECORDED.id}`]);
      expect(headers['retry-after']).toMatch(/^[1-9]/);
      expect(JSON.parse(payload)).toMatchObject({
        status: 'accepted',
        reason: expect.stringContaining('cannot be read') as string,
      });
    },
  );

  test('carries nothing of the caller but the identity into the claim', async () => {
    let values: readonly unknown[] = [];
    await answer(charge(), {
      'claim-intent': (sent) => {
        values = sent;
        return [RECORDED];
      },
    });
    expect(values.slice(0, 3)).toEqual(['acme', 'payment.charge', 1]);
    expect(values[4]).toBe('k1');
    expect(values.slice(6, 12)).toEqual([
      FINGERPRINTS.present,
      'order-1',
      BODY,
      1000,
      'EUR',
      'sim-full',
    ]);
    expect(values[14]).toMatch(/^acme\.payment\.charge\.h-[0-9a-f]{32}$/);
  });
});

describe('a repeat', () => {
  test('is answered from the present state and never touches Temporal', async () => {
    const { status, headers, asked, started } = await answer(charge(), repeated);
    expect(status).toBe(201);
    expect(headers['idempotency-replayed']).toBe('true');
    expect(asked).toEqual(['find-caller', 'find-intent']);
    expect(started).toEqual([]);
  });

  test('of an unfinished intent reads again after it began to wait, so that no notice is lost', async () => {
    const { status, headers, asked } = await answer(charge({ headers: { prefer: 'wait=30' } }), {
      'find-intent': [RECORDED],
      'read-intent': [SUCCEEDED],
    });
    expect(status).toBe(201);
    expect(headers['idempotency-replayed']).toBe('true');
    expect(asked).toEqual(['find-caller', 'find-intent', 'read-intent']);
  }, 5_000);

  test('that is not over yet is 202 and marked as well', async () => {
    const { status, headers } = await answer(charge(), {
      'find-intent': [RECORDED],
    });
    expect(status).toBe(202);
    expect(headers['idempotency-replayed']).toBe('true');
  });

  test('with other parameters is 422 with the intent and its verdict', async () => {
    const payload = JSON.stringify({ ...BODY, amount: 2000 });
    const { status, problem, body, headers } = await answer(charge({ payload }), repeated);
    expect([status, problem]).toEqual([422, 'idempotency-key-reused']);
    expect(body).toMatchObject({
      intent: { id: RECORDED.id, amount: 1000 },
      verdict: { new_key: 'forbidden' },
    });
    expect(headers['idempotency-replayed']).toBeUndefined();
  });

  test('is answered although its provider is no longer registered', async () => {
    const { status } = await answer(charge(), {
      'find-caller': [{ ...ACME, defaultProvider: 'gone' }],
      'find-intent': [SUCCEEDED],
    });
    expect(status).toBe(201);
  });
});

describe('a reference that a live intent has is 409', () => {
  const taken = {
    'claim-intent': () => {
      throw Object.assign(new pg.DatabaseError('duplicate key', 0, 'error'), {
        code: '23505',
        constraint: 'business_key_is_taken_once',
      });
    },
    'holder-of-intent': [{ own: false, ...RECORDED, idempotencyKey: 'other' }],
  };

  test('with that intent', async () => {
    const { status, problem, body } = await answer(charge(), taken);
    expect([status, problem]).toEqual([409, 'business-key-taken']);
    expect(body).toMatchObject({ intent: { idempotency_key: 'other' } });
  });

  test('without it for whoever may not read', async () => {
    const caller = { ...ACME, scopes: ['charge'] };
    const { status, problem, body } = await answer(charge(), { ...taken, 'find-caller': [caller] });
    expect([status, problem]).toEqual([409, 'business-key-taken']);
    expect(Object.keys(body).sort()).toEqual(['detail', 'status', 'title', 'type']);
  });
});

describe('who asks is settled first (INV-11)', () => {
  const nobody = { ...claimed, 'find-caller': [] };
  const withScopes = (...scopes: string[]) => ({
    ...claimed,
    'find-caller': [{ ...ACME, scopes }],
  });

  test.each([
    ['no token', charge({ headers: { authorization: '' } })],
    ['another scheme', charge({ headers: { authorization: 'Basic dTpw' } })],
    ['a malformed token', charge({ headers: { authorization: 'Bearer a b' } })],
    ['no token on a list', { url: '/v1/intents' }],
    [
      'no token and a body that is no JSON',
      charge({ headers: { authorization: '' }, payload: '{' }),
    ],
  ])('%s is 401 with a challenge, and the store is not asked', async (_, options) => {
    const { status, problem, headers, asked } = await answer(options);
    expect([status, problem]).toEqual([401, 'unauthenticated']);
    expect(headers['www-authenticate']).toMatch(/^Bearer /);
    expect(asked).toEqual([]);
  });

  test('an unknown or revoked token is 401', async () => {
    const { status, headers, asked } = await answer(charge(), nobody);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('invalid_token');
    expect(asked).toEqual(['find-caller']);
  });

  test('B16: a repeat is no exception', async () => {
    expect((await answer(charge(), { ...repeated, 'find-caller': [] })).status).toBe(401);
    const { status } = await answer(charge(), { ...repeated, ...withScopes('read') });
    expect(status).toBe(403);
  });

  test.each([
    ['a token without the scope of the operation', charge(), withScopes('read')],
    ['an operator who would create', charge(), { 'find-caller': [OPERATOR] }],
    [
      'an operator given the scope by mistake',
      charge(),
      {
        'find-caller': [{ ...OPERATOR, scopes: ['operate', 'charge'] }],
      },
    ],
    [
      'a token that may not read',
      {
        url: '/v1/intents',
        headers: { authorization: 'Bearer t' },
      },
      withScopes('charge'),
    ],
  ])('%s is 403', async (_, options, answers) => {
    const { status, problem, asked } = await answer(options, { ...claimed, ...answers });
    expect([status, problem]).toEqual([403, 'forbidden']);
    expect(asked).toEqual(['find-caller']);
  });
});

describe('what is not valid leaves no row', () => {
  const json = (value: unknown) => charge({ payload: JSON.stringify(value) });
  const key = (value: string) => charge({ headers: { 'idempotency-key': value } });

  test.each([
    ['no key', key(''), 400, 'invalid-idempotency-key'],
    ['a list of keys', key('a, b'), 400, 'invalid-idempotency-key'],
    ['an empty body', charge({ payload: '' }), 400, 'invalid-parameters'],
    ['no JSON', charge({ payload: '{"amount":' }), 400, 'invalid-parameters'],
    ['no object', json([BODY]), 400, 'invalid-parameters'],
    ['an unknown member', json({ ...BODY, capture: true }), 400, 'invalid-parameters'],
    [
      'a provider that is not registered',
      json({ ...BODY, provider: 'x' }),
      400,
      'invalid-parameters',
    ],
    ['text', charge({ headers: { 'content-type': 'text/plain' } }), 415, 'unsupported-media-type'],
    [
      'JSON of another kind',
      charge({ headers: { 'content-type': 'application/json-patch+json' } }),
      415,
      'unsupported-media-type',
    ],
    [
      'another charset',
      charge({ headers: { 'content-type': 'application/json; charset=utf-16' } }),
      415,
      'unsupported-media-type',
    ],
    [
      'a compressed body',
      charge({ headers: { 'content-encoding': 'gzip' } }),
      415,
      'unsupported-media-type',
    ],
    ['more than 64 KiB', charge({ payload: ' '.repeat(65_537) }), 413, 'content-too-large'],
  ])('%s', async (...row) => {
    const [, options, expectedStatus, expectedProblem] = row;
    const { status, problem, headers, asked } = await answer(options);
    expect([status, problem]).toEqual([expectedStatus, expectedProblem]);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(asked.filter((name) => name === 'claim-intent')).toEqual([]);
  });

  test('64 KiB exactly are read', async () => {
    const payload = JSON.stringify(BODY).padEnd(65_536, ' ');
    expect((await answer(charge({ payload }))).status).toBe(202);
  });

  test('a charset of UTF-8 is as good as none', async () => {
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    expect((await answer(charge({ headers }))).status).toBe(202);
  });

  test('faults are named by pointer', async () => {
    const { body } = await answer(
      json({ amount: 0, currency: 'eur', reference: 'r', 'x/y': 1, metadata: { 'a~b': 1 } }),
    );
    const errors = body['errors'] as { pointer: string; detail: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/amount',
      '/currency',
      '/metadata/a~0b',
      '/source',
      '/x~1y',
    ]);
    expect(errors.find(({ pointer }) => pointer === '/source')?.detail).toBe('is required');
  });
});

describe('paths and methods', () => {
  test.each([
    ['GET', PATH, 405, 'POST'],
    ['PUT', PATH, 405, 'POST'],
    ['DELETE', `/v1/intents/${RECORDED.id}`, 405, 'GET, HEAD'],
    ['POST', `/v1/intents/${RECORDED.id}`, 405, 'GET, HEAD'],
    ['POST', '/v1/intents?x=1', 405, 'GET, HEAD'],
    ['POST', '/v1/intents/payment.nothing', 404, undefined],
    ['POST', '/v1/intents/payment-charge', 404, undefined],
    ['GET', '/v1/intents/not-an-id', 404, undefined],
    ['GET', '/', 404, undefined],
  ] as const)('%s %s is %d', async (...row) => {
    const [method, url, expected, allow] = row;
    const { status, headers } = await answer({ method, url });
    expect(status).toBe(expected);
    expect(headers['allow']).toBe(allow);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-request-id']).toBeDefined();
    expect(headers['content-type']).toBe('application/problem+json');
  });

  test('a path that is no URL is 400 in our own form', async () => {
    const { status, problem } = await answer({ url: '/v1/%zz' });
    expect([status, problem]).toEqual([400, 'malformed-request']);
  });
});

describe('INV-13: a store that cannot be used', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fail = () => {
    throw refused;
  };

  test.each(['find-caller', 'find-intent', 'claim-intent'])(
    'is 503 at %s, and nothing is started',
    async (name) => {
      const { status, problem, headers, started } = await answer(charge(), {
        ...claimed,
        [name]: fail,
      });
      expect([status, problem]).toEqual([503, 'store-unavailable']);
      expect(headers['retry-after']).toBe('1');
      expect(started).toEqual([]);
    },
  );

  test('shows in /readyz, where Temporal does not decide', async () => {
    expect((await answer({ url: '/readyz' }, { unnamed: fail })).status).toBe(503);
    const { app } = gatewayUnderTest({}, { isTemporalReachable: () => Promise.resolve(false) });
    const ready = await app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { store: 'reachable', temporal: 'unreachable' },
    ]);
    expect((await answer({ url: '/healthz' }, { unnamed: fail })).status).toBe(200);
  });
});

test('an unforeseen error is 500 without its internals', async () => {
  const { status, problem, body } = await answer(charge(), {
    'find-caller': () => {
      throw new Error('secret internals');
    },
  });
  expect([status, problem]).toEqual([500, 'internal-error']);
  expect(JSON.stringify(body)).not.toContain('secret');
});
