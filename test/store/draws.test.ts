/** Draws on an intent: refunds of a charge, serialised on its row, never beyond it. */
import { type Outcome, type Status } from '../../domain/status';
import { recordDraw, type NewDraw } from '../../store/record-draw';
import { type NewIntent, recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** A charge of 1000 that succeeded, unless told otherwise. */
async function charged(
  status: Status = 'succeeded',
  changes = "provider_id = 'ch_1'",
  more: Partial<NewIntent> = {},
) {
  const { intent } = await recordIntent(database.api, newIntent(more));
  await move(intent.id, 'executing');
  if (status !== 'executing') await move(intent.id, status);
  await database.owner.query(`update intents set ${changes} where id = $1`, [intent.id]);
  return intent.id;
}

async function move(id: string, status: Status): Promise<void> {
  await database.owner.query(
    `update intents set status = $2, version = version + 1,
       finalised_at = case when $2 in ('succeeded', 'failed', 'canceled') then now() end,
       review_since = case when $2 = 'in_review' then now() end
     where id = $1`,
    [id, status],
  );
}

function refundOf(charge: string, amount: number, more: Partial<NewDraw> = {}): NewDraw {
  const drawsOn = { intent: charge, providerId: 'ch_1' };
  return { ...newIntent({ operation: 'payment.refund', amount }), drawsOn, ...more };
}

const refund = (...args: Parameters<typeof refundOf>) =>
  recordDraw(database.api, refundOf(...args));

async function idOf(recording: ReturnType<typeof refund>): Promise<string> {
  const recorded = await recording;
  if (recorded.kind !== 'new') throw new Error(`refused: ${recorded.kind}`);
  return recorded.intent.id;
}

async function drawn(charge: string): Promise<number> {
  const { rows } = await database.owner.query<{ sum: number }>(
    `select coalesce(sum(amount), 0)::bigint as sum from intents
     where draws_on = $1 and status not in ('failed', 'canceled')`,
    [charge],
  );
  return rows[0]?.sum ?? -1;
}

it('of two concurrent refunds of 700 on 1000 one is recorded and one is refused', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const charge = await charged();
    const kinds = await Promise.all([refund(charge, 700), refund(charge, 700)]);
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['exceeds', 'new']);
    expect(kinds).toContainEqual({ kind: 'exceeds', rest: 300 });
    expect(await drawn(charge)).toBe(700);
  }
});

it('of fifty concurrent refunds of 100 on 1000 exactly ten are recorded', async () => {
  const charge = await charged();
  const kinds = await Promise.all(Array.from({ length: 50 }, () => refund(charge, 100)));
  expect(kinds.filter(({ kind }) => kind === 'new')).toHaveLength(10);
  expect(kinds.filter(({ kind }) => kind === 'exceeds')).toHaveLength(40);
  expect(await drawn(charge)).toBe(1000);
});

it.each<Status>(['accepted', 'executing', 'pending', 'unknown', 'in_review', 'succeeded'])(
  'a refund that is %s counts against the charge',
  async (status) => {
    const charge = await charged();
    const first = await idOf(refund(charge, 700));
    if (status !== 'accepted') await move(first, 'executing');
    if (status !== 'accepted' && status !== 'executing') await move(first, status);
    expect(await refund(charge, 301)).toEqual({ kind: 'exceeds', rest: 300 });
    expect((await refund(charge, 300)).kind).toBe('new');
  },
);

it.each<Outcome>(['failed', 'canceled'])('a refund that %s frees its amount', async (outcome) => {
  const charge = await charged();
  await move(await idOf(refund(charge, 1000)), outcome);
  expect((await refund(charge, 1000)).kind).toBe('new');
});

it('a refund that failed and is shown all the same counts again', async () => {
  const charge = await charged();
  const id = await idOf(refund(charge, 1000));
  await move(id, 'failed');
  await database.owner.query(
    "update intents set discrepancy_since = now(), discrepancy_reason = 'shown' where id = $1",
    [id],
  );
  expect(await refund(charge, 1)).toEqual({ kind: 'exceeds', rest: 0 });
});

it('forty twins at once are one refund, although it takes the whole charge', async () => {
  const charge = await charged();
  const twin = refundOf(charge, 1000);
  const all = await Promise.all(Array.from({ length: 40 }, () => recordDraw(database.api, twin)));
  const kinds = all.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'existing')).toHaveLength(39);
});

it('a reference is taken once among the live refunds of one charge, not of the tenant', async () => {
  const [one, other] = [await charged(), await charged()];
  const reference = { businessKey: 'return-1' };
  const first = await idOf(refund(one, 100, reference));
  expect(await refund(one, 100, reference)).toMatchObject({
    kind: 'business_key_taken',
    intent: { id: first },
  });
  // Also where the amount would not fit: which refund it was is the better answer.
  expect(await refund(one, 1000, reference)).toMatchObject({ kind: 'business_key_taken' });
  expect((await refund(other, 100, reference)).kind).toBe('new');
  await move(first, 'canceled');
  expect((await refund(one, 100, reference)).kind).toBe('new');
});

it('the reference of a charge is still taken once per tenant', async () => {
  await recordIntent(database.api, newIntent({ businessKey: 'order-alone' }));
  const second = await recordIntent(database.api, newIntent({ businessKey: 'order-alone' }));
  expect(second.kind).toBe('business_key_taken');
});

it('a charge that has not succeeded, or on which evidence disagrees, cannot be drawn on', async () => {
  const disputed = "provider_id = 'ch_1', discrepancy_since = now(), discrepancy_reason = 'x'";
  const charges = [
    await charged('failed'),
    await charged('executing'),
    await charged('succeeded', disputed),
    // As an operator's word may leave it: succeeded, under no id that the provider would know.
    await charged('succeeded', 'provider_id = null'),
  ];
  for (const charge of charges) {
    expect(await refund(charge, 1)).toEqual({ kind: 'not_drawable' });
    expect(await drawn(charge)).toBe(0);
  }
});

it.each<[string, Partial<NewDraw>]>([
  ['another currency', { currency: 'USD' }],
  ['another provider', { provider: 'sim-key' }],
])('not even a program that forgets to ask can refund in %s', async (_title, wrong) => {
  const charge = await charged();
  await expect(refund(charge, 1, wrong)).rejects.toThrow(/draw_is_of_the_same_kind/);
});

it('what has no amount draws on nothing, and nothing draws on it', async () => {
  const none = { amount: null, currency: null };
  const [charge, message] = [await charged(), await charged('succeeded', undefined, none)];
  await expect(refund(charge, 1, none)).rejects.toThrow(/draw_is_of_the_same_kind/);
  await expect(refund(message, 1)).rejects.toThrow(/draw_is_of_the_same_kind/);
  await expect(refund(message, 1, none)).rejects.toThrow(/draw_has_an_amount/);
  expect(await drawn(message)).toBe(0);
});

it('a refund is not refunded, and another tenant’s charge is not there', async () => {
  const charge = await charged();
  const id = await idOf(refund(charge, 100));
  await move(id, 'executing');
  await move(id, 'succeeded');
  expect(await refund(id, 1)).toEqual({ kind: 'not_drawable' });
  const foreign = { tenant: 'globex', workflowId: 'globex.payment.refund.h-1' };
  expect(await refund(charge, 1, foreign)).toEqual({ kind: 'not_drawable' });
});

it('not even the owner can refund too much, or change what a refund takes', async () => {
  const charge = await charged();
  const id = await idOf(refund(charge, 600));
  const copy = `insert into intents (tenant, operation, operation_version, key_digest, fingerprint,
      fingerprint_version, business_key, params, amount, currency, provider, contract, policy,
      workflow_id, reason, draws_on, draws_on_provider_id)
    select tenant, operation, 1, sha256('copy'), fingerprint, 1, 'copy', params, amount, currency,
      provider, contract, policy, 'copy', reason, draws_on, draws_on_provider_id
    from intents where id = $1`;
  await expect(database.owner.query(copy, [id])).rejects.toThrow(/draws_never_exceed/);
  for (const change of ['amount = 1', "currency = 'USD'", 'draws_on = null']) {
    await expect(
      database.owner.query(`update intents set ${change} where id = $1`, [id]),
    ).rejects.toThrow(/draw_never_changes|draw_is_whole/);
  }
  await expect(
    database.owner.query('update intents set amount = 1 where id = $1', [charge]),
  ).rejects.toThrow(/draw_never_changes/);
});

it('a refund is of the provider account of its charge, or it is refused', async () => {
  const { intent } = await recordIntent(database.api, newIntent({ providerAccount: 'eu' }));
  await move(intent.id, 'executing');
  await move(intent.id, 'succeeded');
  await database.owner.query("update intents set provider_id = 'ch_1' where id = $1", [intent.id]);
  await expect(refund(intent.id, 1)).rejects.toThrow('draw_is_of_the_same_kind');
  const drawn = await refund(intent.id, 1, { providerAccount: 'eu' });
  expect(drawn).toMatchObject({ kind: 'new', intent: { providerAccount: 'eu' } });
});

it('refunds are found by their charge through an index', async () => {
  const { rows } = await database.owner.query<{ 'QUERY PLAN': string }>(
    `explain select sum(amount) from intents
     where draws_on = '01a22c76-9472-741a-9fcc-768325ffa9ad'`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/intents_drawn_on/);
});
