/** The gateway's intake of notifications over a store of answers: what is asked of the store, and when. */
import { createHash } from 'node:crypto';
import { type InjectOptions } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { providerReference } from '../../domain/identity';
import { type Provider } from '../../providers/provider';
import { simulatorNotifications } from '../../providers/simulator/notifications';
import { type IntentRow } from '../../store/intent-row';
import { type Answers, gatewayUnderTest } from '../support/gateway-under-test';
import { intentRow } from '../support/intent-row';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const INTENT = intentRow({ status: 'unknown' });
const STORED = { 'take-in-notification': [] };

function providers(): ReadonlyMap<string, Provider> {
  const named = (name: string, secrets: string) => ({
    name,
    contracts: {},
    readNotification: simulatorNotifications(secrets),
  });
  const both = [named('sim-full', SECRET), named('sim-key', '')];
  // Of a provider this route uses the reader alone.
  return new Map(both.map((one) => [one.name, one as unknown as Provider]));
}

function event(shown: Readonly<Record<string, unknown>> = {}, type = 'charge.succeeded'): string {
  const charge = { id: 'ch_1', amount: 1000, currency: 'EUR', reference: 'r-1', ...shown };
  return JSON.stringify({ id: 'evt_1', type, data: { charge } });
}

function signed(body: string, changes: InjectOptions = {}): InjectOptions {
  return {
    method: 'POST',
    url: '/v1/providers/sim-full/notifications',
    payload: body,
    ...changes,
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('evt_1', new Date(), body),
      ...changes.headers,
    },
  };
}

async function post(options: InjectOptions, answers: Answers = STORED) {
  const woken: IntentRow[] = [];
  const { app, asked } = gatewayUnderTest(answers, {
    providers: providers(),
    wakeWorkflow: (intent) => Promise.resolve(void woken.push(intent)),
  });
  const { statusCode: status, headers, payload } = await app.inject(options);
  const body = JSON.parse(payload) as Record<string, unknown>;
  const problem = typeof body['type'] === 'string' ? body['type'].split('/').at(-1) : undefined;
  // The wake-up is not waited for.
  await new Promise(setImmediate);
  return { status, headers, body, problem, asked, woken };
}

it('a proven notification is stored, without any token, and acknowledged by its id', async () => {
  const { status, body, asked } = await post(signed(event()));
  expect([status, body]).toEqual([202, { event_id: 'evt_1' }]);
  expect(asked).toEqual(['take-in-notification']);
});

it.each([
  ['forged', { 'webhook-signature': 'v1,AAAA' }],
  ['stale', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 3600) }],
  ['unsigned', { 'webhook-signature': '' }],
  ['of a tenant with a good token', { authorization: 'Bearer token', 'webhook-signature': '' }],
])('a notification %s is 401, and the store is not even asked', async (_title, headers) => {
  const { status, problem, asked, headers: answered } = await post(signed(event(), { headers }));
  expect([status, problem, asked]).toEqual([401, 'notification-not-proven', []]);
  expect(answered['www-authenticate']).toMatch(/^Signature /);
});

it.each([
  ['unknown', 'nobody'],
  ['without notifications', 'sim-key'],
])('a provider %s is 404, however well it is signed', async (_title, provider) => {
  const url = `/v1/providers/${provider}/notifications`;
  const { status, problem, asked } = await post(signed(event(), { url }));
  expect([status, problem, asked]).toEqual([404, 'not-found', []]);
});

it.each([
  ['signed and no JSON', signed('{'), 400, 'notification-malformed'],
  ['signed and empty', signed(''), 400, 'notification-malformed'],
  ['signed, without its amount', signed(event({ amount: null })), 400, 'notification-malformed'],
  ['beyond 64 KiB', signed(event({ more: 'x'.repeat(65_536) })), 413, 'content-too-large'],
  [
    'of another type',
    signed(event(), { headers: { 'content-type': 'text/xml' } }),
    415,
    'unsupported-media-type',
  ],
  ['by another method', signed(event(), { method: 'PUT' }), 405, 'method-not-allowed'],
] as const)('%s: %# is refused with %i %s, and nothing is stored', async (...row) => {
  const [, options, status, problem] = row;
  const answer = await post(options);
  expect([answer.status, answer.problem, answer.asked]).toEqual([status, problem, []]);
});

it('our reference leads to the effect; somebody else’s is not kept', async () => {
  const seen: (readonly unknown[])[] = [];
  const answers = {
    'take-in-notification': (values: readonly unknown[]) => (seen.push(values), []),
  };
  const ours = event({ reference: providerReference(INTENT.id, 'revert') });
  await post(signed(ours), answers);
  await post(signed(event({ reference: 'Mr Smith, order 7' })), answers);
  expect(seen.map((values) => values.slice(3, 5))).toEqual([
    [INTENT.id, 'revert'],
    [null, null],
  ]);
  expect(JSON.stringify(seen)).not.toContain('Smith');
  expect(seen[0]?.[6]).toEqual(createHash('sha256').update(ours).digest());
});

it('a type that tells of no effect is stored without words', async () => {
  const seen: (readonly unknown[])[] = [];
  const answers = {
    'take-in-notification': (values: readonly unknown[]) => (seen.push(values), []),
  };
  const { status } = await post(signed(event({}, 'charge.updated')), answers);
  expect([status, seen[0]?.slice(2, 6)]).toEqual([202, ['charge.updated', null, null, null]]);
});

describe('the workflow of the intent that is named', () => {
  const named = (isWaiting: boolean): Answers => ({
    'take-in-notification': [{ intent: INTENT.id, tenant: 'acme', isWaiting }],
    'read-intent': (values) => (values[1] === 'acme' ? [INTENT] : []),
  });

  it('is woken after the notification was stored, under its tenant’s own visibility', async () => {
    const { woken, asked } = await post(signed(event()), named(true));
    expect(asked).toEqual(['take-in-notification', 'read-intent']);
    expect(woken.map(({ id }) => id)).toEqual([INTENT.id]);
  });

  it('is not woken again for what was heard, or by a repeat of it', async () => {
    const { status, woken } = await post(signed(event()), named(false));
    expect([status, woken]).toEqual([202, []]);
  });

  it('cannot hold up or spoil the answer: what is stored is stored', async () => {
    const broken = {
      ...named(true),
      'read-intent': () => {
        throw new Error('gone');
      },
    };
    expect((await post(signed(event()), broken)).status).toBe(202);
  });
});

it('INV-13: a store that cannot be used is 503, so that the provider comes again', async () => {
  const answers = {
    'take-in-notification': () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    },
  };
  const { status, problem, headers } = await post(signed(event()), answers);
  expect([status, problem]).toEqual([503, 'store-unavailable']);
  expect(headers['retry-after']).toBeDefined();
});
