/**
 * A finished charge that refunds of ours took back whole: whoever looks it up sees it undone, and that
 * opens no discrepancy. An undoing that they do not explain still does.
 */
import { type Finding } from '../../domain/journal';
import { type Status } from '../../domain/status';
import { readJournal } from '../../store/load-journal';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordDraw } from '../../store/record-draw';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED } from '../support/journal-of';

const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function learn(intentId: string, source: 'response' | 'look_up', finding: Finding) {
  const attempt = source === 'response' ? 1 : null;
  const { rows } = await database.worker.query<{ now: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  );
  const askedAt = rows[0]?.now ?? Number.NaN;
  const learned = { intentId, effect: 'apply', attempt, source, finding, askedAt } as const;
  await recordFinding(database.worker, learned);
}

async function charged(): Promise<string> {
  const { id } = (await recordIntent(database.api, newIntent())).intent;
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  const opened = await openAttempt(database.worker, { intentId: id, step, owner: 'test' });
  expect(opened.kind).toBe('opened');
  await learn(id, 'response', APPLIED);
  return id;
}

/** A refund in this status; `executing` is one whose answer has not come. */
async function refunded(charge: string, amount: number, status: Status): Promise<void> {
  const drawsOn = { intent: charge, providerId: 'ch_1' };
  const draw = { ...newIntent({ operation: 'payment.refund', amount }), drawsOn };
  const recorded = await recordDraw(database.api, draw);
  if (recorded.kind !== 'new') throw new Error(recorded.kind);
  const path: readonly Status[] = status === 'accepted' ? [] : ['executing', status];
  for (const next of new Set(path)) {
    await database.owner.query(
      `update intents set status = $2, version = version + 1,
         finalised_at = case when $2 in ('succeeded', 'failed') then now() end where id = $1`,
      [recorded.intent.id, next],
    );
  }
}

async function discrepancy(id: string): Promise<string | null | undefined> {
  return (await readIntent(database.api, id, { tenant: 'acme' }))?.discrepancyReason;
}

it.each<[string, readonly (readonly [number, Status])[]]>([
  ['one refund of all', [[1000, 'succeeded']]],
  [
    'refunds in parts',
    [
      [600, 'succeeded'],
      [400, 'succeeded'],
    ],
  ],
  ['a refund whose answer has not come', [[1000, 'executing']]],
  ['a refund of which nothing is known', [[1000, 'unknown']]],
])('%s: a look-up that sees the charge undone contradicts nothing', async (_title, refunds) => {
  const charge = await charged();
  for (const [amount, status] of refunds) await refunded(charge, amount, status);
  await learn(charge, 'look_up', REVERTED);
  expect(await discrepancy(charge)).toBeNull();
  const intent = await readIntent(database.api, charge, { tenant: 'acme' });
  if (intent === null) throw new Error('gone');
  expect(intent.status).toBe('succeeded');
  // The explanation that callers read is made from the same journal.
  const read = await readJournal(database.api, intent, { tenant: 'acme' });
  expect(read.isGivenBack).toBe(true);
});

it.each<[string, readonly (readonly [number, Status])[]]>([
  ['no refund of ours', []],
  ['one of a part', [[999, 'succeeded']]],
  ['one that failed', [[1000, 'failed']]],
  ['one that was not sent yet', [[1000, 'accepted']]],
])('%s: the undoing is somebody else’s, and a discrepancy', async (_title, refunds) => {
  const charge = await charged();
  for (const [amount, status] of refunds) await refunded(charge, amount, status);
  await learn(charge, 'look_up', REVERTED);
  expect(await discrepancy(charge)).toBe('look_up: reverted, and not by us');
});
