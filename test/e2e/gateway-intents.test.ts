/** The gateway on the real stack: identities, repeats, tenants, lists, refusals that leave no row. */
import pg from 'pg';
import { charge, exchange, type Reply } from '../support/intent-client';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';

const { ready } = sharedStack();
const { api } = ready;
const acme = ready.tenants.acme.token;
const globex = ready.tenants.globex.token;
const olive = ready.operators.olive.token;
const simulator = simulatorClient(ready.simulator_admin);
const db = new pg.Client({ connectionString: ready.database });

beforeAll(() => db.connect());
afterAll(() => db.end());

async function count(sql: string, ...values: readonly unknown[]): Promise<number> {
  const { rows } = await db.query<{ count: string }>(`select count(*) ${sql}`, [...values]);
  return Number(rows[0]?.count);
}

async function effectsOf(source: string): Promise<number> {
  return (await simulator.ledger(source)).effects.length;
}

/** A tenant of this suite alone. */
async function tenantToken(tenant: string): Promise<string> {
  const token = `token-of-${tenant}`;
  await db.query("insert into tenants (id, default_provider) values ($1, 'sim-full')", [tenant]);
  await db.query(
    `insert into api_keys (token_digest, tenant, actor, scopes)
     values (sha256(convert_to($1, 'UTF8')), $2, $2, '{charge,read}')`,
    [token, tenant],
  );
  return token;
}

const get = (path: string, token: string): Promise<Reply> => exchange(`${api}${path}`, { token });

describe('one identity', () => {
  test('B68: is charged once, and the same again is the same answer, marked', async () => {
    const body = { reference: 'once', source: 'card_once' };
    const first = await charge(api, body, { token: acme, key: 'once' });
    const again = await charge(api, body, { token: acme, key: '"once"' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('location')).toBe(`/v1/intents/${String(first.body['id'])}`);
    expect(await effectsOf('card_once')).toBe(1);
  });

  test('with other parameters is 422 and charges nothing', async () => {
    await charge(api, { reference: 'other', source: 'card_other' }, { token: acme, key: 'other' });
    const other = { reference: 'other', source: 'card_other', amount: 2000 };
    const reply = await charge(api, other, { token: acme, key: 'other' });
    expect([reply.status, reply.problem]).toEqual([422, 'idempotency-key-reused']);
    expect(reply.body).toMatchObject({
      intent: { amount: 1000, status: 'succeeded' },
      verdict: { new_key: 'forbidden' },
    });
    expect(await effectsOf('card_other')).toBe(1);
  });

  test('B23: fifty twins at once are one intent, one effect, one answer', async () => {
    const body = { reference: 'twins', source: 'card_twins' };
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => charge(api, body, { token: acme, key: 'twins', wait: 30 })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body: { id } }) => id)).size).toBe(1);
    const originals = replies.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    expect(originals).toHaveLength(1);
    expect(await count('from intents where business_key = $1', 'twins')).toBe(1);
    expect(await effectsOf('card_twins')).toBe(1);
  }, 60_000);

  test('a second key for a reference that is taken is 409 with the holder', async () => {
    const body = { reference: 'taken', source: 'card_taken' };
    const first = await charge(api, body, { token: acme, key: 'taken-1' });
    const second = await charge(api, body, { token: acme, key: 'taken-2' });
    expect([second.status, second.problem]).toEqual([409, 'business-key-taken']);
    expect(second.body).toMatchObject({ intent: { id: first.body['id'] } });
    expect(await effectsOf('card_taken')).toBe(1);
  });

  test('B66: that is declined says so each time, and frees the reference for a new key', async () => {
    await simulator.programme({ on: 'charge', do: 'decline', match: { source: 'card_declined' } });
    const body = { reference: 'declined', source: 'card_declined' };
    const first = await charge(api, body, { token: acme, key: 'declined-1' });
    const again = await charge(api, body, { token: acme, key: 'declined-1' });
    expect([first.status, again.status]).toEqual([402, 402]);
    expect([first.problem, again.problem]).toEqual(['effect-rejected', 'effect-rejected']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.body).toMatchObject({
      verdict: { new_key: 'safe' },
      intent: { finalised_at: expect.stringMatching(/Z$/) as string },
    });
    expect((await simulator.ledger('card_declined')).calls).toHaveLength(1);
    const anew = await charge(api, body, { token: acme, key: 'declined-2' });
    expect(anew.status).toBe(201);
  });

  test('respond-async is 202 with the way to the outcome', async () => {
    const reply = await exchange(`${api}/v1/intents/payment.charge`, {
      token: acme,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'async',
        prefer: 'respond-async',
      },
      body: JSON.stringify({ amount: 1, currency: 'EUR', source: 'c', reference: 'async' }),
    });
    expect(reply.status).toBe(202);
    expect(reply.headers.get('preference-applied')).toBe('respond-async');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const joined = await charge(
      api,
      { amount: 1, source: 'c', reference: 'async' },
      { token: acme, key: 'async', wait: 30 },
    );
    expect(joined.status).toBe(201);
    expect(joined.body['id']).toBe(reply.body['id']);
  }, 40_000);
});

describe('B13, B14: tenants', () => {
  test('have their own keys and references, and cannot see each other', async () => {
    const body = { reference: 'shared', source: 'card_shared' };
    const ours = await charge(api, body, { token: acme, key: 'shared' });
    const theirs = await charge(api, body, { token: globex, key: 'shared' });
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.get('idempotency-replayed')).toBeNull();
    expect(theirs.body['id']).not.toBe(ours.body['id']);
    const path = `/v1/intents/${String(ours.body['id'])}`;
    expect((await get(path, acme)).body).toEqual(ours.body);
    expect((await get(path, globex)).status).toBe(404);
    expect((await get(`${path}/explanation`, globex)).status).toBe(404);
    const search = '/v1/intents?operation=payment.charge&idempotency_key=shared';
    const found = await get(search, globex);
    expect((found.body['data'] as { id: string }[]).map(({ id }) => id)).toEqual([
      theirs.body['id'],
    ]);
    expect(await effectsOf('card_shared')).toBe(2);
  });

  test('are read by an operator, keys left out, who cannot charge', async () => {
    const body = { reference: 'watched' };
    const ours = await charge(api, body, { token: acme, key: 'watched' });
    const seen = await get(`/v1/intents/${String(ours.body['id'])}`, olive);
    expect(seen.status).toBe(200);
    expect(seen.body).toEqual({ ...ours.body, idempotency_key: null });
    const denied = await charge(api, { reference: 'x' }, { token: olive, key: 'x' });
    expect([denied.status, denied.problem]).toEqual([403, 'forbidden']);
  });

  test('who ask at the same moment get what is their own, and a revoked token among them nothing', async () => {
    const leaver = await tenantToken('leaver-among-many');
    const tokens = [acme, leaver, globex];
    const ask = (token: string) =>
      charge(api, { reference: 'at-once', source: 'card_at_once' }, { token, key: 'at-once' });
    const own: unknown[] = [];
    for (const token of tokens) own.push((await ask(token)).body['id']);
    expect(new Set(own).size).toBe(3);
    await db.query("update api_keys set revoked_at = now() where tenant = 'leaver-among-many'");
    const rounds = Array.from({ length: 30 }, () => tokens).flat();
    const replies = await Promise.all(rounds.map(ask));
    expect(replies.map(({ status, body }) => (status === 201 ? body['id'] : status))).toEqual(
      Array.from({ length: 30 }, () => [own[0], 401, own[2]]).flat(),
    );
    expect(await effectsOf('card_at_once')).toBe(3);
  });

  test('B16: a revoked token gets nothing, not even a repeat', async () => {
    const token = await tenantToken('leaver');
    const body = { reference: 'revoked' };
    expect((await charge(api, body, { token, key: 'revoked' })).status).toBe(201);
    await db.query("update api_keys set revoked_at = now() where tenant = 'leaver'");
    expect((await charge(api, body, { token, key: 'revoked' })).status).toBe(401);
    expect((await get('/v1/intents', token)).status).toBe(401);
  });
});

describe('reading', () => {
  test('lists newest first, page by page, by every filter', async () => {
    // Its own tenant, so that no other suite writes between the pages.
    const pages = await tenantToken('pages');
    const ids: unknown[] = [];
    for (const number of [1, 2, 3]) {
      const body = { reference: `page-${number}` };
      ids.unshift((await charge(api, body, { token: pages, key: `page-${number}` })).body['id']);
    }
    const idsOf = ({ body }: Reply) => (body['data'] as { id: string }[]).map(({ id }) => id);
    const first = await get('/v1/intents?limit=2', pages);
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = await get(
      `/v1/intents?limit=1&cursor=${String(first.body['next_cursor'])}`,
      pages,
    );
    expect(idsOf(next)).toEqual(ids.slice(2));
    expect(idsOf(await get('/v1/intents?reference=page-2', pages))).toEqual([ids[1]]);
    const failed = await get('/v1/intents?status=failed&operation=payment.charge', pages);
    expect(failed.body).toEqual({ data: [], next_cursor: null });
  });

  test('explains an intent by its evidence', async () => {
    const { body } = await charge(api, { reference: 'why' }, { token: acme, key: 'why' });
    const why = await get(`/v1/intents/${String(body['id'])}/explanation`, acme);
    expect(why.status).toBe(200);
    expect(why.body).toMatchObject({
      belief: 'applied',
      because: [{ observation: 0 }],
      observations: [{ source: 'response', finding: 'applied', attempt: 1 }],
      attempts: [{ number: 1, verdict: 'applied' }],
      allowed: [],
      next: { step: 'finish' },
    });
  });
});

const VALID = '"amount":1,"currency":"EUR","source":"s"';

describe('what is refused leaves no row', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number]>([
    ['no JSON', '{', {}, 400],
    ['nothing', '', {}, 400],
    ['null', 'null', {}, 400],
    ['a member twice', `{${VALID},"reference":"bad","reference":"bad"}`, {}, 400],
    ['an unknown member', `{${VALID},"reference":"bad","x":1}`, {}, 400],
    ['an unsafe amount', `{"amount":9007199254740993,"currency":"EUR","source":"s"}`, {}, 400],
    ['a negative amount', `{"amount":-1,"currency":"EUR","source":"s","reference":"bad"}`, {}, 400],
    [
      'B72: most of a minor unit',
      '{"amount":1999.9999999999998,"currency":"EUR","source":"s","reference":"bad"}',
      {},
      400,
    ],
    [
      'B72: a decimal amount',
      '{"amount":19.99,"currency":"EUR","source":"s","reference":"bad"}',
      {},
      400,
    ],
    ['a NUL in the reference', `{${VALID},"reference":"bad\\u0000"}`, {}, 400],
    ['a lone surrogate', `{${VALID},"reference":"bad\\ud800"}`, {}, 400],
    ['an unknown provider', `{${VALID},"reference":"bad","provider":"none"}`, {}, 400],
    ['B19: no key', `{${VALID},"reference":"bad"}`, { 'idempotency-key': '' }, 400],
    ['a list of keys', `{${VALID},"reference":"bad"}`, { 'idempotency-key': 'a,b' }, 400],
    ['another media type', `{${VALID},"reference":"bad"}`, { 'content-type': 'text/plain' }, 415],
    ['B121: more than 64 KiB', `{${VALID},"reference":"bad"}${' '.repeat(65_536)}`, {}, 413],
    ['no token', `{${VALID},"reference":"bad"}`, { authorization: '' }, 401],
  ])('%s', async (...row) => {
    const [, body, headers, status] = row;
    const reply = await exchange(`${api}/v1/intents/payment.charge`, {
      token: acme,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'bad', ...headers },
      body,
    });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    const traces = "from intents where business_key like 'bad%' or idempotency_key like 'bad%'";
    expect(await count(traces)).toBe(0);
  });

  test.each([
    ['DELETE', '/v1/intents/payment.charge', 405, 'POST'],
    ['POST', '/v1/intents', 405, 'GET, HEAD'],
    ['POST', '/v1/intents/payment.nothing', 404, null],
  ])('%s %s', async (...row) => {
    const [method, path, status, allow] = row;
    const reply = await exchange(`${api}${path}`, { token: acme, method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow]);
  });
});
