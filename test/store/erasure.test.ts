/** Erasure on request: one payer of one tenant, at once, and again at any time. */
import { erase } from '../../store/erase';
import { endedIntent, type Ended, wholeRow } from '../support/ended-intent';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const ANNA = 'card_anna';

/** A charge of this instrument that ended today. */
function chargeOf(source: string, { intent, ...more }: Ended = {}): Promise<string> {
  const params = { amount: 1000, currency: 'EUR', source, reference: 'r' };
  return endedIntent(database, { daysAgo: 0, ...more, intent: { params, ...intent } });
}

async function isPurged(id: string): Promise<boolean> {
  const { params, idempotency_key: key, purged_at: at } = await wholeRow(database, id);
  return params === null && key === null && at !== null;
}

it('by source: the payer’s ended intents of the tenant, and nobody else’s', async () => {
  const ours = [
    await chargeOf(ANNA),
    await chargeOf(ANNA, { status: 'failed' }),
    await chargeOf(ANNA, { status: 'canceled' }),
  ];
  const others = [
    await chargeOf('card_bob'),
    await chargeOf(ANNA, { intent: { tenant: 'globex', workflowId: 'globex.x' } }),
  ];
  const subject = { tenant: 'acme', source: ANNA };
  expect(await erase(database.owner, subject)).toEqual({ erased: 3, alreadyErased: 0, left: [] });
  expect(await Promise.all(ours.map(isPurged))).toEqual([true, true, true]);
  expect(await Promise.all(others.map(isPurged))).toEqual([false, false]);
  expect(await erase(database.owner, subject)).toEqual({ erased: 0, alreadyErased: 0, left: [] });
});

it('what has no outcome, or is disputed, is left and named; it can be erased later', async () => {
  const source = 'card_left';
  const done = await chargeOf(source);
  const open = await chargeOf(source, { status: 'unknown' });
  const disputed = await chargeOf(source);
  await database.owner.query(
    `update intents set discrepancy_since = now(), discrepancy_reason = 'x' where id = $1`,
    [disputed],
  );
  const subject = { tenant: 'acme', source };
  expect(await erase(database.owner, subject)).toEqual({
    erased: 1,
    alreadyErased: 0,
    left: [
      { id: open, status: 'unknown', isDisputed: false },
      { id: disputed, status: 'succeeded', isDisputed: true },
    ],
  });
  expect([await isPurged(done), await isPurged(open), await isPurged(disputed)]).toEqual([
    ...[true, false, false],
  ]);
  await database.owner.query(
    `update intents set status = 'failed', version = version + 1, unknown_since = null,
       finalised_at = now() where id = $1`,
    [open],
  );
  expect(await erase(database.owner, subject)).toMatchObject({
    erased: 1,
    left: [{ id: disputed }],
  });
});

it('by intent: once, and only within its tenant', async () => {
  const id = await chargeOf('card_single');
  const same = await chargeOf('card_single');
  expect(await erase(database.owner, { tenant: 'globex', intent: id })).toBeNull();
  const subject = { tenant: 'acme', intent: id };
  expect(await erase(database.owner, subject)).toEqual({ erased: 1, alreadyErased: 0, left: [] });
  expect(await erase(database.owner, subject)).toEqual({ erased: 0, alreadyErased: 1, left: [] });
  expect([await isPurged(id), await isPurged(same)]).toEqual([true, false]);
});

it('a payer with more intents than a batch is erased whole, by two at once as well', async () => {
  const source = 'card_many';
  await chargeOf(source);
  await database.owner.query(
    `insert into intents (tenant, operation, operation_version, key_digest, idempotency_key,
       fingerprint, fingerprint_version, business_key, params, amount, currency, provider, contract,
       policy, workflow_id, reason, status, version, finalised_at)
     select tenant, operation, 1, sha256(convert_to(n::text, 'UTF8')), 'k' || n, fingerprint, 1,
       'b' || n, params, amount, currency, provider, contract, policy, 'w' || n, reason, status,
       version, finalised_at
     from intents, generate_series(1, 1200) n where params ->> 'source' = $1`,
    [source],
  );
  const subject = { tenant: 'acme', source };
  const both = await Promise.all([erase(database.owner, subject), erase(database.owner, subject)]);
  expect(both.reduce((sum, one) => sum + (one?.erased ?? 0), 0)).toBe(1201);
  const { rows } = await database.owner.query(
    `select from intents where params ->> 'source' = $1`,
    [source],
  );
  expect(rows).toEqual([]);
});
