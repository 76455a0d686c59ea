/**
 * Intents that ended in PostgreSQL alone, whose run the auditor still has to tell: who is taken, how
 * often, and that the question reads no more than the last days, however much was ever decided.
 */
import { type Finding } from '../../domain/journal';
import { type SendStep } from '../../domain/step';
import { fillWithEnded } from '../../bench/ended-intents';
import { openAttempt } from '../../store/open-attempt';
import { recordDecision } from '../../store/record-decision';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { inTransaction } from '../../store/transaction';
import { markTold, takeUntold } from '../../store/untold';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, BLIND, LOST } from '../support/journal-of';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.close());

const FIRST: SendStep = { kind: 'send', effect: 'apply', number: 1, generation: 1 };
const QUICKLY_OVER = { ...BLIND, send: { budgetMs: 1, horizonMs: 0, mayRepeat: false } };

async function sent(): Promise<string> {
  const wanted = newIntent({ contract: QUICKLY_OVER });
  const { id } = (await recordIntent(database.api, wanted)).intent;
  await openAttempt(database.worker, { intentId: id, step: FIRST, owner: 'test' });
  return id;
}

function answered(intentId: string, finding: Finding) {
  const answer = { intentId, effect: 'apply', attempt: 1, source: 'response', askedAt: 0 } as const;
  return recordFinding(database.worker, { ...answer, finding });
}

/** In review by a lost answer, then ended by an operator's word. */
async function decided(): Promise<string> {
  const intentId = await sent();
  await answered(intentId, LOST);
  await recordDecision(database.api, {
    intentId,
    decisionId: `of-${intentId}`,
    decision: 'applied',
    override: false,
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
    operator: 'olive',
    authenticated: true,
  });
  return intentId;
}

/** Taken, and told with Temporal's confirmation. */
async function taken(): Promise<readonly string[]> {
  const untold = await takeUntold(database.worker, 10);
  await markTold(database.worker, untold);
  return untold.map(({ intentId }) => intentId);
}

/** As no program can: what guards the past is off meanwhile. */
async function unguarded(sql: string): Promise<void> {
  const tables = ['intents', 'decisions', 'attempts'];
  const each = (what: string) =>
    tables.map((one) => `alter table ${one} ${what} trigger user;`).join('');
  await database.owner.query(`begin; ${each('disable')} ${sql}; ${each('enable')} commit`);
}

/** Moves what happened so far into the past. */
function later(by: string): Promise<void> {
  return unguarded(`
    update intents set finalised_at = finalised_at - interval '${by}',
      audited_at = audited_at - interval '${by}';
    update decisions set decided_at = decided_at - interval '${by}';
    update attempts set opened_at = opened_at - interval '${by}',
      send_deadline = send_deadline - interval '${by}',
      resolved_at = resolved_at - interval '${by}'`);
}

it('what a decision ended is taken at once, again after a pause, and no more once it was told late enough', async () => {
  const id = await decided();
  expect(await taken()).toEqual([id]);
  expect(await taken()).toEqual([]);
  await later('11 seconds');
  expect(await taken()).toEqual([id]);
  // It ended more than a minute ago, and is told now.
  await later('2 minutes');
  expect(await taken()).toEqual([id]);
  await later('1 hour');
  expect(await taken()).toEqual([]);
});

it('Temporal may be away for six days', async () => {
  const id = await decided();
  await later('6 days');
  expect(await taken()).toEqual([id]);
});

it('an answer that came seconds after its deadline is told, one that came in time is not', async () => {
  const late = await sent();
  await later('4 seconds');
  await answered(late, APPLIED);
  const inTime = await sent();
  await answered(inTime, APPLIED);
  expect(await taken()).toEqual([late]);
});

it('reads no old decision and no intent that it does not take, however many there are', async () => {
  await fillWithEnded(database.ownerUrl, { rows: 20_000, dueEvery: 2 });
  await unguarded(`
    insert into decisions (id, intent, kind, operator, authenticated, evidence, reason, previous_hash,
      hash, position, override, attempts, state, decided_at)
    select 'old-' || id, id, 'applied', 'olive', true, 'line 7', 'x',
      sha256(int8send(n - 1)), sha256(int8send(n)), n, false, 1, 'effective', now() - interval '8 days'
    from (select id, row_number() over () as n from intents) numbered`);
  await database.owner.query('analyze decisions; analyze attempts');
  const ids = [await decided(), await decided()];
  for (let pass = 1; pass <= 8; pass += 1) {
    await database.owner.query('update intents set audited_at = null where id = any ($1)', [ids]);
    const { found, read } = await counted();
    expect(found).toEqual(ids);
    expect(read).toEqual({ scanned: 0, fetched: expect.any(Number) as number });
    expect(read.fetched).toBeLessThanOrEqual(20);
  }
});

interface Work {
  readonly scanned: number;
  readonly fetched: number;
}

/** A pass, and which rows of the large tables PostgreSQL itself counted: by scan, and by index. */
async function counted(): Promise<{ found: readonly string[]; read: Work }> {
  return inTransaction(database.owner, async (tx) => {
    const rowsRead = async (): Promise<Work> => {
      const { rows } = await tx.query<Work>(
        `select coalesce(sum(seq_tup_read), 0)::int as scanned,
           coalesce(sum(idx_tup_fetch), 0)::int as fetched
         from pg_stat_xact_user_tables where relname in ('intents', 'decisions')`,
      );
      return rows[0] ?? { scanned: 0, fetched: 0 };
    };
    const before = await rowsRead();
    const found = (await takeUntold(tx, 10)).map(({ intentId }) => intentId);
    const after = await rowsRead();
    const read = {
      scanned: after.scanned - before.scanned,
      fetched: after.fetched - before.fetched,
    };
    return { found: [...found].sort((a, b) => a.localeCompare(b)), read };
  });
}

it('INV-10: a wake-up that was not confirmed is repeated, a confirmed one is not', async () => {
  const { id } = (await recordIntent(database.api, newIntent())).intent;
  await database.owner.query(
    `insert into attempts (intent, effect, number, generation, provider_key, reference,
       request_digest, owner, opened_at, send_deadline, verdict, resolved_at)
     values ($1, 'apply', 1, 1, 'k', 'r', sha256('x'), 'test', now() - interval '1 hour',
       now() - interval '59 minutes', 'absent', now())`,
    [id],
  );
  await database.owner.query(
    `update intents set status = 'failed', version = 2, finalised_at = now() - interval '5 minutes'
     where id = $1`,
    [id],
  );
  expect(await takeUntold(database.worker, 10)).toMatchObject([{ intentId: id }]);
  const again = await takeUntold(database.worker, 10);
  expect(again).toMatchObject([{ intentId: id }]);
  await markTold(database.worker, again);
  expect(await takeUntold(database.worker, 10)).toEqual([]);
});
