/**
 * Requests that mean no good, or that come at a bad time. Each is refused before the store is asked to
 * claim anything, and no workflow is started.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type InjectOptions } from 'fastify';
import { createLogger } from '../../telemetry/logger';
import { createRateLimit } from '../../api/rate-limit';
import { Waiters } from '../../api/waiters';
import { BODY, charge, claimed, PATH, RECORDED, repeated } from '../support/gateway-request';
import { gatewayUnderTest } from '../support/gateway-under-test';
import { until } from '../support/until';

const statusOf = ({ statusCode }: { readonly statusCode: number }): number => statusCode;
const problemOf = ({ payload }: { readonly payload: string }): unknown =>
  (JSON.parse(payload) as { type?: unknown }).type;

describe('a token over its rate', () => {
  const withToken = (token: string): InjectOptions =>
    charge({ headers: { authorization: `Bearer ${token}` } });

  test('is 429 with Retry-After before the store is asked anything; others go on', async () => {
    const { app, asked, started } = gatewayUnderTest(claimed, { rateLimit: createRateLimit(1) });
    // One a second, averaged over ten seconds.
    for (let sent = 0; sent < 10; sent += 1) {
      expect(statusOf(await app.inject(withToken('busy')))).toBe(202);
    }
    const [before, workflows] = [asked.length, started.length];
    const refused = await app.inject(withToken('busy'));
    expect([statusOf(refused), problemOf(refused)]).toEqual([429, '/problems/rate-limited']);
    expect(refused.headers['retry-after']).toMatch(/^([1-9]|10)$/);
    expect([asked.length, started.length]).toEqual([before, workflows]);
    expect(statusOf(await app.inject(withToken('quiet')))).toBe(202);
  });

  test('is counted over all paths, repeats and reads included', async () => {
    const { app } = gatewayUnderTest(repeated, { rateLimit: createRateLimit(1) });
    const paths = [charge(), { url: '/v1/intents', headers: { authorization: 'Bearer token' } }];
    const statuses: number[] = [];
    for (let sent = 0; sent < 12; sent += 1) {
      statuses.push(statusOf(await app.inject(paths[sent % 2] ?? {})));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});

describe('a process with more work than it can answer', () => {
  test('refuses who would wait where as many wait as it takes on, and serves who would not', async () => {
    const waiters = new Waiters(1);
    waiters.begin('another', 60_000);
    const { app, asked, started } = gatewayUnderTest(claimed, { waiters });
    const refused = await app.inject(charge({ headers: { prefer: 'wait=30' } }));
    expect([statusOf(refused), problemOf(refused)]).toEqual([503, '/problems/overloaded']);
    expect(refused.headers['retry-after']).toBe('5');
    expect(asked).toEqual(['find-caller']);
    expect(started).toEqual([]);
    expect(statusOf(await app.inject(charge()))).toBe(202);
    waiters.close();
  });

  test('refuses everything but the question for its health while its event loop is late', async () => {
    const { app, asked, started } = gatewayUnderTest(claimed, {}, { eventLoopDelayMs: 20 });
    await app.ready();
    const refused = await until('the delay is noticed', async () => {
      const end = performance.now() + 300;
      while (performance.now() < end);
      const reply = await app.inject(charge());
      return statusOf(reply) === 503 ? reply : undefined;
    });
    const [before, workflows] = [asked.length, started.length];
    expect(problemOf(refused)).toBe('/problems/overloaded');
    expect(refused.headers['retry-after']).toBe('5');
    expect(statusOf(await app.inject('/v1/intents'))).toBe(503);
    expect(statusOf(await app.inject('/healthz'))).toBe(200);
    // The readiness probe asks the store whether it is there, and nothing else.
    expect([asked.length, started.length]).toEqual([before, workflows]);
    await app.close();
  }, 20_000);
});

describe('no answer', () => {
  const answers: [string, InjectOptions][] = [
    ['to a charge', charge({ headers: { origin: 'https://elsewhere.example' } })],
    ['to a refusal', charge({ payload: '{', headers: { origin: 'https://elsewhere.example' } })],
    ['to nobody', { url: '/v1/intents', headers: { origin: 'https://elsewhere.example' } }],
    ['to a page', { url: '/docs', headers: { origin: 'https://elsewhere.example' } }],
    [
      'to a preflight',
      {
        method: 'OPTIONS',
        url: PATH,
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'POST',
        },
      },
    ],
  ];

  test.each(answers)('%s allows another origin or names the framework', async (_, options) => {
    const { headers } = await gatewayUnderTest(claimed).app.inject(options);
    const names = Object.keys(headers);
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(names).not.toContain('server');
    expect(names).not.toContain('x-powered-by');
  });

  test('to a preflight is anything but 405 with Allow', async () => {
    const reply = await gatewayUnderTest(claimed).app.inject({ method: 'OPTIONS', url: PATH });
    expect([statusOf(reply), reply.headers['allow']]).toEqual([405, 'POST']);
  });
});

test.each(['QUERY', 'TRACE', 'PROPFIND', 'PURGE', 'PATCH'])(
  '%s, which no path takes, is 405 with Allow whatever it carries',
  async (method) => {
    const { app, asked } = gatewayUnderTest(claimed);
    for (const headers of [{}, { 'content-type': 'text/plain' }]) {
      const reply = await app.inject({ method: method as 'PATCH', url: PATH, headers });
      expect([statusOf(reply), reply.headers['allow']]).toEqual([405, 'POST']);
      expect(problemOf(reply)).toBe('/problems/method-not-allowed');
    }
    expect(asked).toEqual([]);
  },
);

test('the store is asked for the SHA-256 of a token, never for the token', async () => {
  let values: readonly unknown[] = [];
  const { app } = gatewayUnderTest({
    'find-caller': (sent) => {
      values = sent;
      return [];
    },
  });
  await app.inject(charge({ headers: { authorization: 'Bearer planted' } }));
  expect(values).toHaveLength(1);
  expect(values[0]).toBeInstanceOf(Buffer);
  expect(values[0]).toHaveLength(32);
});

test('a caller cannot write lines of its own into the log', async () => {
  const stream = new PassThrough();
  const log = createLogger({ program: 'api', level: 'trace' }, stream);
  const { app } = gatewayUnderTest(claimed, {}, { log });
  const forged = '{"level":50,"msg":"forged"}';
  const escape = '\u001b[31m';
  await app.inject(charge({ headers: { 'x-request-id': forged, 'user-agent': forged } }));
  await app.inject({ url: `/v1/intents?x=${encodeURIComponent(`\n${forged}\n`)}` });
  await app.inject({ url: `/v1/${encodeURIComponent(`${escape}\r\n${forged}`)}` });
  await app.inject(charge({ payload: JSON.stringify({ ...BODY, source: `\n${forged}` }) }));
  await app.inject({ url: `/v1/intents/${RECORDED.id}`, headers: { authorization: forged } });
  stream.end();
  const written = await text(stream);
  const lines = written.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(5);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ program: 'api' });
  expect(written).not.toContain('forged');
  expect(written).not.toContain(escape);
});
