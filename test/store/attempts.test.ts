/** INV-2, INV-3, INV-7: permits are rows, one at a time, and evidence moves the intent atomically. */
import { type Finding } from '../../domain/journal';
import { standing } from '../../domain/standing';
import { type Step } from '../../domain/step';
import { inLocked, situationOf } from '../../store/locked-intent';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { writeStanding } from '../../store/write-standing';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, DECLINED, FULL, LOOK_UP, LOST, NOT_SENT } from '../support/journal-of';

type SendStep = Extract<Step, { kind: 'send' }>;
const FIRST: SendStep = { kind: 'send', effect: 'apply', number: 1, generation: 1 };

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function recorded(more: Parameters<typeof newIntent>[0] = {}): Promise<string> {
  return (await recordIntent(database.api, newIntent(more))).intent.id;
}

function open(intentId: string, step: SendStep = FIRST) {
  return openAttempt(database.worker, { intentId, step, owner: 'test' });
}

async function answered(intentId: string, attempt: number, finding: Finding) {
  const opened = await open(intentId, { ...FIRST, number: attempt });
  if (opened.kind !== 'opened') throw new Error('no permit');
  return recordFinding(database.worker, {
    intentId,
    effect: 'apply',
    attempt,
    source: 'response',
    finding,
    askedAt: opened.attempt.openedAt,
  });
}

async function row(intentId: string) {
  const intent = await readIntent(database.api, intentId, 'every-tenant');
  if (intent === null) throw new Error('gone');
  return intent;
}

it('INV-3: twenty owners at once get one permit', async () => {
  const id = await recorded();
  const permits = await Promise.all(Array.from({ length: 20 }, () => open(id)));
  expect(permits.filter((one) => one.kind === 'opened')).toHaveLength(1);
  expect(await row(id)).toMatchObject({ status: 'executing', attemptCount: 1, version: 2 });
});

it('INV-3: a permit is not given twice, whatever a second run believes', async () => {
  const id = await recorded();
  await open(id);
  const again = await open(id);
  expect(again).toMatchObject({ kind: 'not_opened', journal: { attempts: [{ number: 1 }] } });
});

it('B87: a send decided on a stale journal gets none', async () => {
  const id = await recorded();
  await answered(id, 1, APPLIED);
  expect((await open(id, { ...FIRST, number: 2 })).kind).toBe('not_opened');
});

it('B56, INV-4: provider key and reference depend on intent, effect and generation alone', async () => {
  const contract = { ...FULL, lookUp: { ...LOOK_UP, scheduleMs: [1] } };
  const id = await recorded({ contract });
  await answered(id, 1, NOT_SENT);
  await open(id, { ...FIRST, number: 2 });
  const { rows } = await database.owner.query<{ provider_key: string; reference: string }>(
    'select distinct provider_key, reference from attempts where intent = $1',
    [id],
  );
  const short = id.replaceAll('-', '');
  expect(rows).toEqual([{ provider_key: `${short}-a1`, reference: `rs-${short}-a` }]);
});

it.each([
  { answer: 'applied', finding: APPLIED, status: 'succeeded', verdict: 'applied' },
  { answer: 'declined', finding: DECLINED, status: 'failed', verdict: 'rejected' },
  { answer: 'lost', finding: LOST, status: 'unknown', verdict: null },
  { answer: 'not sent', finding: NOT_SENT, status: 'accepted', verdict: 'not_sent' },
])(
  'INV-7: an answer that is $answer moves row, verdict and outbox at once',
  async ({ finding, status, verdict }) => {
    const id = await recorded();
    expect((await answered(id, 1, finding)).status).toBe(status);
    const { rows } = await database.owner.query(
      `select status, version, attempts.verdict, type as event, sequence
     from intents join attempts on attempts.intent = intents.id
     join intent_events on intent_events.intent = intents.id and sequence = version where intents.id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { status, version: 3, verdict, event: `resolute.intent.${status}`, sequence: 3 },
    ]);
  },
);

it('the same answer recorded twice counts once', async () => {
  const id = await recorded();
  await answered(id, 1, LOST);
  const again = await recordFinding(database.worker, {
    intentId: id,
    effect: 'apply',
    attempt: 1,
    source: 'response',
    finding: APPLIED,
    askedAt: 0,
  });
  expect(again.observations).toHaveLength(1);
  expect((await row(id)).status).toBe('unknown');
});

it.each([
  ['to another status', 0],
  ['to the same status', 1],
])(
  'INV-7: a standing that was derived before another one was written, %s, is refused with all beside it',
  async (_title, known) => {
    const id = await recorded();
    const stale = inLocked(database.worker, id, async (tx, { intent, journal }) => {
      const { effect, number, generation } = FIRST;
      const [openedAt, sendDeadline] = [journal.readAt, journal.readAt + 1_000];
      const opened = { effect, number, generation, openedAt, sendDeadline, verdict: null };
      for (const attempts of [[opened], [opened].slice(0, known)]) {
        const then = { ...journal, attempts };
        await writeStanding(tx, { intent, journal: then }, standing(situationOf(intent, then)));
      }
    });
    await expect(stale).rejects.toThrow(/inv7/);
    expect(await row(id)).toMatchObject({ status: 'accepted', attemptCount: 0, version: 1 });
  },
);

it('B38, INV-6: contradicting evidence after the end opens a discrepancy and leaves the status', async () => {
  const id = await recorded();
  await answered(id, 1, DECLINED);
  const journal = await recordFinding(database.worker, {
    intentId: id,
    effect: 'apply',
    attempt: null,
    source: 'look_up',
    finding: APPLIED,
    askedAt: Date.now() - 1,
  });
  expect(journal.status).toBe('failed');
  const after = await row(id);
  expect(after).toMatchObject({ status: 'failed', version: 4 });
  expect(after.discrepancyReason).toMatch(/ch_1/);
});

it('a standing recorded again changes no version and tells nobody', async () => {
  const id = await recorded();
  await answered(id, 1, LOST);
  await recordStanding(database.worker, id);
  const { rows } = await database.owner.query<{ n: number }>(
    'select count(*) as n from intent_events where intent = $1',
    [id],
  );
  expect(rows[0]?.n).toBe(3);
  expect((await row(id)).version).toBe(3);
});

it('INV-6: an intent that was undone and canceled is no discrepancy when a late run looks again', async () => {
  const contract = { ...FULL, send: { ...FULL.send, budgetMs: 100, horizonMs: 0 } };
  const id = await recorded({ contract });
  await open(id);
  await database.owner.query('update intents set cancel_requested_at = now() where id = $1', [id]);
  const found = { intentId: id, effect: 'apply', source: 'response', askedAt: Date.now() } as const;
  await recordFinding(database.worker, { ...found, attempt: 1, finding: APPLIED });
  await open(id, { ...FIRST, effect: 'revert' });
  const undone: Finding = { kind: 'reverted', providerId: 'ch_1' };
  await recordFinding(database.worker, { ...found, effect: 'revert', attempt: 1, finding: undone });
  const late = { attempt: null, source: 'look_up', askedAt: Date.now() + 5_000 } as const;
  await recordFinding(database.worker, { ...found, ...late, finding: undone });
  expect((await row(id)).status).toBe('canceled');
  await recordStanding(database.worker, id);
  expect(await row(id)).toMatchObject({ status: 'canceled', discrepancyReason: null });
});
