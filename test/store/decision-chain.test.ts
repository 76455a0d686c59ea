/** The chain of decisions: one line, never forked, never rewritten, and what was rewritten is found. */
import {
  type ChainVerdict,
  type ExportedDecision,
  exportChain,
  verifyChain,
} from '../../store/decision-chain';
import { recordDecision } from '../../store/record-decision';
import { recordIntent } from '../../store/record-intent';
import { exportedChain } from '../support/exported-chain';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.close());

/** Decisions about intents of their own; nothing was sent, so each is refused, and on record. */
async function decideOn(count: number): Promise<void> {
  const intents = await Promise.all(
    Array.from({ length: count }, () => recordIntent(database.api, newIntent())),
  );
  await Promise.all(
    intents.map(({ intent }, index) =>
      recordDecision(index % 2 === 0 ? database.api : database.worker, {
        intentId: intent.id,
        decisionId: `d${index}`,
        decision: 'applied',
        override: false,
        evidence: 'Beleg 7 "für" \u{1F600}',
        reason: 'because',
        operator: 'olive',
        authenticated: true,
      }),
    ),
  );
}

async function exported(): Promise<ExportedDecision[]> {
  return [...(await exportedChain(database.owner))];
}

/** Rewrites the table as its owner could. */
async function tamper(statement: string): Promise<ChainVerdict> {
  await database.owner.query('alter table decisions disable trigger user');
  await database.owner.query(statement);
  return verifyChain(exportChain(database.owner));
}

it('an empty chain is whole', async () => {
  expect(await verifyChain(exportChain(database.owner))).toMatchObject({ kind: 'whole', rows: 0 });
});

it('twenty decisions at once make one line without gaps', async () => {
  await decideOn(20);
  const rows = await exported();
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(await verifyChain(rows)).toEqual({
    kind: 'whole',
    rows: 20,
    head: rows.at(-1)?.hash,
  });
});

it.each([
  ['evidence', "set evidence = 'another' where position = 3"],
  ['the person', "set operator = 'oscar' where position = 3"],
  ['a claim', 'set authenticated = false where position = 3'],
  ['the time', "set decided_at = decided_at + interval '1 millisecond' where position = 3"],
  ['the refusal', "set refusal_detail = 'other' where position = 3"],
  ['the hash', "set hash = sha256('x') where position = 3"],
])('a row of which %s was rewritten is named', async (_title, change) => {
  await decideOn(5);
  expect(await tamper(`update decisions ${change}`)).toMatchObject({ kind: 'broken', position: 3 });
});

it('a row that was dropped, and one that was put in, are found', async () => {
  await decideOn(5);
  expect(await tamper('delete from decisions where position = 2')).toMatchObject({
    kind: 'broken',
    position: 3,
  });
});

it('an exported copy is verified without the database, line by line', async () => {
  await decideOn(3);
  const lines = (await exported()).map((row) => JSON.stringify(row));
  const copy = lines.map((line) => JSON.parse(line) as ExportedDecision);
  expect((await verifyChain(copy)).kind).toBe('whole');
  const changed = copy.map((row, index) => (index === 1 ? { ...row, reason: 'other' } : row));
  expect(await verifyChain(changed)).toMatchObject({ kind: 'broken', position: 2 });
});

it.each([
  ['rewrite a decision', "update decisions set reason = 'x'", /append-only/],
  ['drop one', 'delete from decisions', /append-only/],
  ['empty the table', 'truncate decisions cascade', /append-only/],
  [
    'put one in out of place',
    `insert into decisions select (jsonb_populate_record(last, '{"id":"x","position":9}')).*
     from decisions last where position = 2`,
    /decision_follows_the_last/,
  ],
])('not even the owner can %s', async (_title, statement, refusal) => {
  await decideOn(2);
  await expect(database.owner.query(statement)).rejects.toThrow(refusal);
});

it.each(['api', 'worker'] as const)(
  'the %s role decides only after it has assumed the role of operators, and then does nothing else',
  async (role) => {
    await decideOn(1);
    const insert = 'insert into decisions select * from decisions';
    await expect(database[role].query(insert)).rejects.toThrow(/permission denied/);
    for (const statement of [
      "update intents set params = '{}'",
      'update intents set cancel_requested_at = now()',
      'insert into intents (tenant) values (null)',
      'update decisions set id = id',
      'select * from api_keys',
    ]) {
      const client = await database[role].connect();
      try {
        await client.query('begin');
        await client.query('set local role resolute_operator');
        await expect(client.query(statement)).rejects.toThrow(/permission denied/);
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  },
);

it('evidence of others cannot be written in the name of a decision', async () => {
  const { intent } = await recordIntent(database.api, newIntent());
  const client = await database.api.connect();
  try {
    await client.query('begin');
    await client.query('set local role resolute_operator');
    const insert = `insert into observations (intent, effect, source, finding, asked_at)
      values ('${intent.id}', 'apply', 'look_up', '{"kind":"applied"}', now())`;
    await expect(client.query(insert)).rejects.toThrow(/row-level security/);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
