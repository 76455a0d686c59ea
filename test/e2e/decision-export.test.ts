/** `resolute decisions export`: the chain as lines of JSON, and what was rewritten is named. */
import { type ExportedDecision, verifyChain } from '../../store/decision-chain';
import { recordDecision } from '../../store/record-decision';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { resolute, type Run } from '../support/resolute';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.close());

/** Decisions on record, refused since nothing was sent. */
async function decide(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const { intent } = await recordIntent(database.api, newIntent());
    await recordDecision(database.api, {
      intentId: intent.id,
      decisionId: `d${number}`,
      decision: 'applied',
      override: false,
      evidence: 'Beleg "für" \u{1F600}',
      reason: 'because',
      operator: 'olive',
      authenticated: true,
    });
  }
}

const exported = (...args: readonly string[]): Promise<Run> =>
  resolute(database.ownerUrl, 'decisions', 'export', ...args);

function rowsOf({ stdout }: Run): readonly ExportedDecision[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedDecision);
}

it('an export verifies, here and where it is kept', async () => {
  await decide(3);
  const run = await exported('--verify');
  const rows = rowsOf(run);
  expect([run.code, rows.map((row) => row.decision_id)]).toEqual([0, ['d1', 'd2', 'd3']]);
  expect(run.stderr).toBe(
    `The chain is whole: 3 rows. Head, to be noted: ${rows.at(-1)?.hash ?? ''}\n`,
  );
  expect((await verifyChain(rows)).kind).toBe('whole');
  const plain = await exported();
  expect([plain.code, plain.stdout, plain.stderr]).toEqual([0, run.stdout, '']);
});

it('a row that the owner rewrote is named, and the rest is exported all the same', async () => {
  await decide(4);
  await database.owner.query('alter table decisions disable trigger user');
  await database.owner.query("update decisions set evidence = 'another' where position = 2");
  const run = await exported('--verify');
  expect([run.code, run.stderr]).toEqual([
    65,
    'The chain is broken at row 2, decision d2: its facts are not those that were hashed.\n',
  ]);
  expect(rowsOf(run)).toHaveLength(4);
});

it('a database where nothing was decided has an empty chain', async () => {
  const run = await exported('--verify');
  expect([run.code, run.stdout]).toEqual([0, '']);
  expect(run.stderr).toMatch(/^The chain is whole: 0 rows\./);
});
