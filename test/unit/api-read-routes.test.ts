/** Reading over a store of answers. */
import { type InjectOptions } from 'fastify';
import { answer, RECORDED } from '../support/gateway-request';
import { ACME, OPERATOR } from '../support/gateway-under-test';

describe('reading', () => {
  const get = (url: string): InjectOptions => ({ url, headers: { authorization: 'Bearer t' } });

  test('an intent that is not there, or another tenant’s, is 404', async () => {
    const { status, problem } = await answer(get(`/v1/intents/${RECORDED.id}`), {});
    expect([status, problem]).toEqual([404, 'not-found']);
  });

  test.each([
    ['a tenant', ACME, 'acme', 'k1'],
    ['an operator', OPERATOR, null, null],
  ])('%s sees its part', async (...row) => {
    const [, caller, tenant, key] = row;
    const { status, body } = await answer(get(`/v1/intents/${RECORDED.id}`), {
      'find-caller': [caller],
      'read-intent': ([, visible]) => (visible === tenant ? [RECORDED] : []),
    });
    expect(status).toBe(200);
    expect(body['idempotency_key']).toBe(key);
  });

  test('a page has the newest and the way to the next one', async () => {
    const ids = ['3', '2', '1'].map((end) => RECORDED.id.replace(/.$/, end));
    const { body } = await answer(get('/v1/intents?limit=2'), {
      'list-intents': (values) =>
        ids.map((id) => ({ ...RECORDED, id })).slice(0, Number(values.at(-1))),
    });
    expect((body['data'] as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(body['next_cursor']).toBe(ids[1]);
  });

  test('nothing found is an empty list', async () => {
    const { status, body } = await answer(get('/v1/intents?reference=x'), {});
    expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1&limit=2',
    'status=lost',
    'operation=payment.nothing',
    'cursor=x',
    'idempotency_key=k1',
    'idempotency_key=k%C3%A9&operation=payment.charge',
    'reference=',
    'reference=%00',
    'unknown=1',
  ])('?%s is a bad filter', async (query) => {
    const { status, problem, body } = await answer(get(`/v1/intents?${query}`));
    expect([status, problem]).toEqual([400, 'invalid-parameters']);
    expect(body['errors']).toHaveLength(1);
  });

  test('an operator cannot search by key', async () => {
    const url = '/v1/intents?idempotency_key=k1&operation=payment.charge';
    expect((await answer(get(url), { 'find-caller': [OPERATOR] })).status).toBe(400);
  });

  test('a key is found in both spellings', async () => {
    const digests = await Promise.all(
      ['abc', '%22abc%22', 'a%20b', '%22a%20b%22'].map(async (key) => {
        let digest: unknown;
        await answer(get(`/v1/intents?operation=payment.charge&idempotency_key=${key}`), {
          'list-intents': ([, , sent]) => {
            digest = sent;
            return [];
          },
        });
        return (digest as Buffer).toString('hex');
      }),
    );
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).toBe(digests[3]);
    expect(digests[0]).not.toBe(digests[2]);
  });
});
