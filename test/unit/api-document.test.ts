/** The published document and the gateway say the same of each other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@readme/openapi-parser';
import { type FastifyInstance, type InjectOptions } from 'fastify';
import { openApiDocument } from '../../api/openapi/document';
import { describedRoutes } from '../../api/openapi/routes';
import { PROBLEM_TEXTS } from '../../api/pages/problem-texts';
import { PROBLEMS } from '../../api/problem';
import { PROJECT_ROOT } from '../../local/project-root';
import { createOperations } from '../../operations/registry';
import { DOCUMENT, undocumented } from '../support/documented';
import { answer, charge, claimed, PATH, RECORDED, repeated } from '../support/gateway-request';
import { gatewayUnderTest, OPERATOR } from '../support/gateway-under-test';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { value: unknown }>> }>
    >;
  };
}

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation: operation as unknown as Operation,
  })),
);

/** Pages for people and the text for Prometheus; they are no part of the document. */
const PAGES = ['/desk', '/docs', '/metrics', '/problems'];

function isPage(route: string): boolean {
  const [, path = ''] = route.split(' ');
  return PAGES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/**
 * `GET /v1/intents/{id}`, from the framework's drawing of its routes: each level is four columns. HEAD
 * comes with every GET by itself.
 */
function registered(app: FastifyInstance): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([^/]*)(\S+) \(([^()]*)\)$/.exec(line) ?? [];
      const level = indent.length / 4 - 1;
      above.splice(level, above.length, part.replace(/:(\w+)\([^)]*\)/g, '{$1}'));
      return methods
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${above.join('')}`);
    });
}

test('is valid OpenAPI 3.1', async () => {
  // A copy: the validator resolves references in place.
  const copy = JSON.parse(JSON.stringify(DOCUMENT)) as Parameters<typeof validate>[0];
  expect(await validate(copy)).toEqual({ valid: true, warnings: [], specification: 'OpenAPI' });
});

test('is what the gateway serves', async () => {
  const { status, headers, body } = await answer({ url: '/openapi.json' });
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const { operations: served, providers } = gatewayUnderTest().gateway;
  const document = openApiDocument(served.values(), [...providers.values()]);
  expect(body).toEqual(JSON.parse(JSON.stringify(document)));
  expect(JSON.stringify(body)).toContain('"enum":["sim-full"]');
});

test('describes every route that is registered, and no other', async () => {
  const { app } = gatewayUnderTest();
  await app.ready();
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const routes = registered(app);
  expect(described.sort()).toEqual(routes.filter((route) => !isPage(route)).sort());
  expect(routes.filter(isPage)).toEqual(
    expect.arrayContaining(['GET /docs', 'GET /problems/{name}']),
  );
});

test('describes every registered operation', () => {
  const names = [...createOperations([]).keys()];
  expect(Object.keys(DOCUMENT.paths)).toEqual(
    expect.arrayContaining(names.map((name) => `/v1/intents/${name}`)),
  );
});

test('names each operation once', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('names every problem type somewhere but those of no path', () => {
  const text = JSON.stringify(DOCUMENT.paths);
  const missing = Object.keys(PROBLEMS).filter((name) => !text.includes(`"/problems/${name}"`));
  expect(missing).toEqual(['method-not-allowed']);
});

test('every problem type is in the table of docs/api.md, with its status', () => {
  const table = readFileSync(join(PROJECT_ROOT, 'docs', 'api.md'), 'utf8');
  const missing = Object.entries(PROBLEMS).filter(
    ([name, { status }]) => !new RegExp(`\\| \`${name}\` +\\| [^|]*${status}`).test(table),
  );
  expect(missing).toEqual([]);
});

describe('an example', () => {
  const examples = operations.flatMap(({ path, operation: { requestBody } }) =>
    Object.entries(requestBody?.content['application/json']?.examples ?? {}).map(
      ([name, { value }]) => [path, name, value] as const,
    ),
  );

  test('is given for every operation', () => {
    const withBody = operations.filter(({ operation }) => operation.requestBody !== undefined);
    // What a provider signs has the provider's own form.
    const ours = withBody.filter(({ operation }) => operation.operationId !== 'notifications.take');
    expect(examples.map(([path]) => path)).toEqual(ours.map(({ path }) => path));
    expect(examples.length).toBeGreaterThan(2);
  });

  test.each(examples)('of %s (%s) is what its schema takes', (path, _, value) => {
    const routes = describedRoutes([...createOperations([]).values()]);
    const { body } = routes.find((route) => route.path === path) ?? {};
    if (body === undefined || !('schema' in body)) throw new Error(`${path} has no schema`);
    expect(body.schema.safeParse(value).success).toBe(true);
  });

  test('of a charge is charged', async () => {
    const [, , value] = examples.find(([path]) => path === PATH) ?? [];
    const { status } = await answer(charge({ payload: JSON.stringify(value) }));
    expect(status).toBe(202);
  });
});

describe('an answer is as described', () => {
  const get = (url: string): InjectOptions => ({ url, headers: { authorization: 'Bearer t' } });
  const post = (url: string, payload = ''): InjectOptions => charge({ url, payload });
  const refund = post(
    '/v1/intents/payment.refund',
    JSON.stringify({ charge: RECORDED.id, amount: 1, reference: 'r' }),
  );
  test.each<[string, InjectOptions, object]>([
    ['a first request', charge(), claimed],
    ['a repeat', charge(), repeated],
    ['another body', charge({ payload: '{"amount":1}' }), claimed],
    ['no token', charge({ headers: { authorization: '' } }), claimed],
    ['no key', charge({ headers: { 'idempotency-key': '' } }), claimed],
    ['another media type', charge({ headers: { 'content-type': 'text/plain' } }), claimed],
    ['too much', charge({ payload: ' '.repeat(70_000) }), claimed],
    ['an intent', get(`/v1/intents/${RECORDED.id}`), claimed],
    ['no intent', get(`/v1/intents/${RECORDED.id}`), {}],
    ['a list', get('/v1/intents?limit=1'), { 'list-intents': [RECORDED, RECORDED] }],
    ['a bad filter', get('/v1/intents?limit=0'), {}],
    ['no events', get('/v1/events'), {}],
    ['a refund of nothing', refund, {}],
    ['a refund of what is open', refund, { 'read-intent': [RECORDED] }],
    ['a decision of a tenant', post(`/v1/intents/${RECORDED.id}/decisions`, '{}'), {}],
    [
      'a decision that says nothing',
      post(`/v1/intents/${RECORDED.id}/decisions`, '{}'),
      { 'find-caller': [OPERATOR] },
    ],
    [
      'an approval under no id',
      post(`/v1/intents/${RECORDED.id}/decisions/%00/approve`),
      { 'find-caller': [OPERATOR] },
    ],
    ['an approval read', get(`/v1/intents/${RECORDED.id}/decisions/a/approve`), {}],
    [
      'a look-up that is asked for',
      post(`/v1/intents/${RECORDED.id}/look-up`),
      { 'find-caller': [OPERATOR], 'read-intent': [RECORDED] },
    ],
    ['a look-up for a tenant', post(`/v1/intents/${RECORDED.id}/look-up`), {}],
    [
      'the queue',
      get('/v1/queue?concern=review'),
      {
        'find-caller': [OPERATOR],
        'read-queue': [{ ...RECORDED, concern: 'review', since: RECORDED.updatedAt }],
        'sum-queue': [{ concern: 'review', currency: 'EUR', intents: 1, amount: 1000 }],
      },
    ],
    ['the queue in other words', get('/v1/queue?concern=all'), { 'find-caller': [OPERATOR] }],
    ['the queue for a tenant', get('/v1/queue'), {}],
    ['a notification of nobody', post('/v1/providers/nobody/notifications', '{}'), {}],
    ['a cancel', post(`/v1/intents/${RECORDED.id}/cancel`), claimed],
    ['health', { url: '/healthz' }, {}],
    ['readiness', { url: '/readyz' }, {}],
    ['another method', { method: 'DELETE', url: PATH }, {}],
    ['no path', { url: '/v2' }, {}],
  ])('%s', async (_, options, answers) => {
    const { app } = gatewayUnderTest({ ...answers });
    const { statusCode: status, headers, payload } = await app.inject(options);
    const contentType = headers['content-type']?.toString();
    const body: unknown = contentType?.includes('json') === true ? JSON.parse(payload) : payload;
    const { method = 'GET', url } = options as { method?: string; url: string };
    expect(undocumented({ method, url, status, contentType, body })).toEqual([]);
  });

  test('and one with another member, status or media type is not', () => {
    const good = {
      method: 'GET',
      url: '/healthz',
      status: 200,
      contentType: 'application/json',
      body: { status: 'ok' },
    };
    expect(undocumented(good)).toEqual([]);
    expect(undocumented({ ...good, body: { status: 'ok', more: 1 } })).toHaveLength(1);
    expect(undocumented({ ...good, status: 201 })).toHaveLength(1);
    expect(undocumented({ ...good, contentType: 'text/html' })).toHaveLength(1);
  });
});

describe('a page', () => {
  test.each(Object.entries(PROBLEM_TEXTS))(
    '/problems/%s says what happened and what to do',
    async (name, { happened, todo }) => {
      const { app } = gatewayUnderTest();
      const { statusCode, payload } = await app.inject(`/problems/${name}`);
      expect(statusCode).toBe(200);
      const text = payload
        .replace(/<code>(.*?)<\/code>/g, '`$1`')
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"');
      expect(text).toContain(happened);
      expect(text).toContain(todo);
    },
  );

  test.each(['/docs', '/problems/overloaded'])('%s runs nothing and loads nothing', async (url) => {
    const { headers, payload } = await gatewayUnderTest().app.inject(url);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(payload).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|\sstyle=|https?:/i);
  });

  test('/docs shows every call, and its links lead somewhere', async () => {
    const { app } = gatewayUnderTest();
    const { payload } = await app.inject('/docs');
    for (const { method, path } of operations) {
      expect(payload).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    }
    const targets = [...new Set([...payload.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to))];
    for (const target of targets) {
      if (target.startsWith('#')) expect(payload).toContain(`id="${target.slice(1)}"`);
      else expect((await app.inject(target)).statusCode).toBe(200);
    }
  });

  test.each(['/docs', ...Object.keys(PROBLEM_TEXTS).map((name) => `/problems/${name}`)])(
    '%s shows code as code, without its back-quotes',
    async (url) => {
      const { payload } = await gatewayUnderTest().app.inject(url);
      // Schemas are shown as they are published, descriptions included.
      expect(payload.replace(/<pre>[^]*?<\/pre>/g, '')).not.toContain('`');
    },
  );

  test('that nobody wrote is 404', async () => {
    expect((await answer({ url: '/problems/none' })).problem).toBe('not-found');
  });
});
