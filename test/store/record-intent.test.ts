/** INV-1: one identity, one intent, for ever; decided by one statement. */
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function count(table: string, intent: string): Promise<number> {
  const column = table === 'intents' ? 'id' : 'intent';
  const { rows } = await database.owner.query<{ n: number }>(
    `select count(*) as n from ${table} where ${column} = $1`,
    [intent],
  );
  return rows[0]?.n ?? -1;
}

// Many rounds: which unique index refuses the loser of a race depends on who is where when.
it('B24, INV-1: forty twins at once are one intent, and one of them claimed it', async () => {
  for (let round = 1; round <= 30; round += 1) {
    const twin = newIntent();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => recordIntent(database.api, twin)),
    );
    expect(answers.filter((one) => one.kind === 'new')).toHaveLength(1);
    expect(answers.filter((one) => one.kind === 'existing')).toHaveLength(39);
    expect(new Set(answers.map((one) => one.intent.id)).size).toBe(1);
  }
});

it('INV-7: the claim and its outbox event commit together, once', async () => {
  const intent = newIntent();
  const first = await recordIntent(database.api, intent);
  await recordIntent(database.api, intent);
  expect(await count('intent_events', first.intent.id)).toBe(1);
});

it('B90: a loser of the race reads the winner that its own snapshot could not see', async () => {
  const twin = newIntent();
  const winner = await database.api.connect();
  await winner.query('begin');
  const won = await recordIntent(winner, twin);
  const loser = recordIntent(database.api, twin);
  await untilBlocked();
  await winner.query('commit');
  winner.release();
  expect(won.kind).toBe('new');
  expect(await loser).toMatchObject({ kind: 'existing', intent: { id: won.intent.id } });
});

it('B64: a loser claims the identity itself when the winner rolls back', async () => {
  const twin = newIntent();
  const winner = await database.api.connect();
  await winner.query('begin');
  await recordIntent(winner, twin);
  const loser = recordIntent(database.api, twin);
  await untilBlocked();
  await winner.query('rollback');
  winner.release();
  expect((await loser).kind).toBe('new');
});

it('another tenant with the same key digest has an intent of its own (INV-11)', async () => {
  const mine = newIntent();
  const theirs = { ...mine, tenant: 'globex', workflowId: `globex.${mine.workflowId}` };
  const [a, b] = [await recordIntent(database.api, mine), await recordIntent(database.api, theirs)];
  expect([a.kind, b.kind]).toEqual(['new', 'new']);
  expect(a.intent.id).not.toBe(b.intent.id);
});

it('a second key for a taken business key names the intent in the way and leaves no row', async () => {
  const first = await recordIntent(database.api, newIntent({ businessKey: 'order-taken' }));
  const second = newIntent({ businessKey: 'order-taken' });
  expect(await recordIntent(database.api, second)).toMatchObject({
    kind: 'business_key_taken',
    intent: { id: first.intent.id },
  });
  const { rowCount } = await database.owner.query('select from intents where key_digest = $1', [
    second.keyDigest,
  ]);
  expect(rowCount).toBe(0);
});

it('B96: forty keys racing for one business key: one wins, nobody sees an error', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      recordIntent(database.api, newIntent({ businessKey: 'order-raced' })),
    ),
  );
  expect(answers.filter((one) => one.kind === 'new')).toHaveLength(1);
  expect(new Set(answers.map((one) => one.intent.id)).size).toBe(1);
});

/** Until some session waits for another's transaction. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const { rowCount } = await database.owner.query(
      `select from pg_locks join pg_stat_activity using (pid)
       where not granted and datname = current_database()`,
    );
    if (rowCount !== null && rowCount > 0) return;
  }
}

it('an effect without money has neither amount nor currency, and never half of it', async () => {
  const without = newIntent({ amount: null, currency: null });
  const { intent } = await recordIntent(database.api, without);
  expect([intent.amount, intent.currency]).toEqual([null, null]);
  await expect(recordIntent(database.api, newIntent({ currency: null }))).rejects.toThrow(
    /money_is_whole/,
  );
});
