/** What is counted is what was committed, and what is read for gauges is what stands in the tables. */
import { type Committed } from '../../domain/committed';
import { note, observeCommits } from '../../store/observe-commits';
import { openAttempt } from '../../store/open-attempt';
import { readFigures } from '../../store/read-figures';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { inTransaction } from '../../store/transaction';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';

let db: FreshDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const ABOUT = { operation: 'payment.charge', provider: 'sim-full' } as const;
const CONTRADICTED = { kind: 'contradicted', ...ABOUT } as const;

/** An intent with one open attempt. */
async function sent(): Promise<string> {
  const { intent } = await recordIntent(db.api, newIntent());
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  await openAttempt(db.worker, { intentId: intent.id, step, owner: 'test' });
  return intent.id;
}

/** Records an answer to the only attempt. */
function answered(intentId: string, providerId: string) {
  const finding = { kind: 'applied', providerId } as const;
  const about = { effect: 'apply', attempt: 1, source: 'response', askedAt: Date.now() } as const;
  return recordFinding(db.worker, { intentId, finding, ...about });
}

describe('who observes commits', () => {
  it('is told nothing of a transaction that was rolled back, not by a later one either', async () => {
    const told: Committed[] = [];
    const pool = db.owner;
    observeCommits(pool, (what) => void told.push(what));
    await expect(
      inTransaction(pool, (tx) => {
        note(tx, CONTRADICTED);
        return tx.query('select 1 / 0');
      }),
    ).rejects.toThrow('division by zero');
    await inTransaction(pool, (tx) => tx.query('select 1'));
    expect(told).toEqual([]);
    await inTransaction(pool, (tx) => {
      note(tx, CONTRADICTED);
      return tx.query('select 1');
    });
    expect(told).toEqual([CONTRADICTED]);
  });

  it('hears of an answer and of the move that it made, and of a repeated answer nothing', async () => {
    const intentId = await sent();
    const told: Committed[] = [];
    observeCommits(db.worker, (what) => void told.push(what));
    await answered(intentId, 'ch_1');
    await answered(intentId, 'ch_1');
    expect(told.map(({ kind }) => kind)).toEqual(['found', 'moved']);
    expect(told[1]).toMatchObject({ ...ABOUT, to: 'succeeded', isUsedUp: false, isDoubled: false });
  });

  it('hears once that a final intent is contradicted', async () => {
    const intentId = await sent();
    await answered(intentId, 'ch_1');
    const told: Committed[] = [];
    observeCommits(db.worker, (what) => void told.push(what));
    for (const providerId of ['ch_2', 'ch_3']) {
      const finding = { kind: 'applied', providerId } as const;
      const about = { effect: 'apply', attempt: null, source: 'look_up' } as const;
      await recordFinding(db.worker, { intentId, finding, askedAt: Date.now(), ...about });
    }
    expect(told.map(({ kind }) => kind)).toEqual(['found', 'contradicted', 'found']);
  });
});

describe('figures', () => {
  it('are those of all tenants, read by the role of the gateway', async () => {
    // One of the tests before: nothing is open, and evidence contradicts one end.
    const before = await readFigures(db.api);
    expect(before).toEqual({ groups: [], discrepancies: 1, orphans: 0 });
    for (const tenant of ['acme', 'acme', 'globex']) {
      await recordIntent(db.api, newIntent({ tenant, workflowId: `${tenant}.${Math.random()}` }));
    }
    const { groups } = await readFigures(db.api);
    expect(groups).toMatchObject([{ ...ABOUT, status: 'accepted', intents: 3, overdue: 0 }]);
  });

  it('tell what nobody moves for more than a minute', async () => {
    await db.owner.query(
      "update intents set next_step_at = now() - interval '61 seconds' where tenant = 'globex' and status = 'accepted'",
    );
    const { groups } = await readFigures(db.api);
    expect(groups).toMatchObject([{ status: 'accepted', intents: 3, overdue: 1 }]);
  });
});
