/**
 * A release with a new fingerprint version over live rows, beside an old release that is still
 * running: nobody's repeat becomes another request, and nobody's other request a repeat.
 */
import { type FastifyInstance } from 'fastify';
import { Fingerprints } from '../../api/fingerprint';
import { FINGERPRINTS, gatewayUnderTest } from '../support/gateway-under-test';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
let old: FastifyInstance;
let young: FastifyInstance;

/** A release that knew version 1 alone. */
const BEFORE = new Fingerprints(
  new Map([[1, (operation, params) => FINGERPRINTS.of(operation, params, 1)]]),
);

const TOKEN = 'token-of-acme-across-releases';

beforeAll(async () => {
  database = await freshDatabase();
  await database.owner.query(
    `insert into api_keys (token_digest, tenant, actor, scopes)
     values (sha256(convert_to($1, 'UTF8')), 'acme', 'acme', '{charge,read}')`,
    [TOKEN],
  );
  // Real rows in a real store; no workflow is needed to tell repeats apart.
  old = gatewayUnderTest({}, { db: database.api, fingerprints: BEFORE }).app;
  young = gatewayUnderTest({}, { db: database.api }).app;
});
afterAll(() => database.close());

async function charge(app: FastifyInstance, key: string, amount: number) {
  const { statusCode, headers, payload } = await app.inject({
    method: 'POST',
    url: '/v1/intents/payment.charge',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'respond-async',
    },
    payload: JSON.stringify({ amount, currency: 'EUR', source: 's', reference: `of-${key}` }),
  });
  const { type, id } = JSON.parse(payload) as { type?: string; id?: string };
  return [statusCode, headers['idempotency-replayed'] ?? type, id];
}

const versions = async (): Promise<readonly unknown[]> =>
  (
    await database.owner.query<Record<string, unknown>>(
      'select idempotency_key as key, fingerprint_version as version from intents order by 1',
    )
  ).rows;

test('B12: rows of both versions are repeated and told apart; the old release waits for the new one', async () => {
  const [status, , before] = await charge(old, 'before', 1000);
  expect(status).toBe(202);
  // The new release on a row of the old one.
  expect(await charge(young, 'before', 1000)).toEqual([202, 'true', before]);
  expect(await charge(young, 'before', 2000)).toEqual([
    422,
    '/problems/idempotency-key-reused',
    undefined,
  ]);
  // A row of its own.
  const [, , after] = await charge(young, 'after', 1000);
  expect(await charge(young, 'after', 1000)).toEqual([202, 'true', after]);
  expect((await charge(young, 'after', 2000))[0]).toBe(422);
  // The old release on a row of the new one: neither a repeat nor a refusal for good.
  expect(await charge(old, 'after', 1000)).toEqual([503, '/problems/newer-version', undefined]);
  expect(await charge(old, 'before', 1000)).toEqual([202, 'true', before]);
  expect(await versions()).toEqual([
    { key: 'after', version: 2 },
    { key: 'before', version: 1 },
  ]);
});
