/** Closing a discrepancy: by a person, once, on record; the outcome stays, and later evidence opens another. */
import { randomUUID } from 'node:crypto';
import { type Finding } from '../../domain/journal';
import { type Closed, closeDiscrepancy, type NewClosing } from '../../store/close-discrepancy';
import { verifyChain } from '../../store/decision-chain';
import { openAttempt } from '../../store/open-attempt';
import { purgeExpired } from '../../store/purge';
import { readFigures } from '../../store/read-figures';
import { readIntent } from '../../store/read-intents';
import { readQueue } from '../../store/read-queue';
import { recordDecision } from '../../store/record-decision';
import { recordDraw } from '../../store/record-draw';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { exportedChain } from '../support/exported-chain';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, DECLINED } from '../support/journal-of';

const CH_2: Finding = { kind: 'applied', providerId: 'ch_2' };
const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function learn(intentId: string, source: 'response' | 'look_up', finding: Finding) {
  const attempt = source === 'response' ? 1 : null;
  const about = { intentId, effect: 'apply', attempt, source, finding } as const;
  // No question was asked later than its answer came.
  await recordFinding(database.worker, { ...about, askedAt: Date.now() - 10 });
}

/** An ended intent with evidence against it. */
async function contradicted(end: Finding, against: Finding) {
  const { id } = (await recordIntent(database.api, newIntent())).intent;
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  await openAttempt(database.worker, { intentId: id, step, owner: 'test' });
  await learn(id, 'response', end);
  await learn(id, 'look_up', against);
  return row(id);
}

async function row(id: string) {
  const intent = await readIntent(database.api, id, 'every-tenant');
  if (intent === null) throw new Error('gone');
  return intent;
}

type Shown = Awaited<ReturnType<typeof row>>;

function close(intent: Shown, changes: Partial<NewClosing> = {}): Promise<Closed> {
  return closeDiscrepancy(database.api, {
    intentId: intent.id,
    decisionId: randomUUID(),
    since: intent.discrepancySince ?? new Date(0),
    closing: 'outcome_stands',
    evidence: 'line 7 of the statement',
    reason: 'the notification was wrong',
    operator: 'olive',
    ...changes,
  });
}

const whyNot = (closed: Closed): string => (closed.kind === 'not_open' ? closed.why : closed.kind);

async function isWaiting({ id }: Shown): Promise<boolean> {
  const lines = await readQueue(database.api, { concern: 'discrepancy', limit: 100 });
  const { discrepancies } = await readFigures(database.api);
  // The gauge and the queue read the same mark.
  expect(discrepancies).toBe(lines.length);
  return lines.some((line) => line.id === id);
}

it('outcome_stands takes the mark away; evidence_stands keeps it, for nobody to look at', async () => {
  const refuted = await contradicted(DECLINED, APPLIED);
  const right = await contradicted(DECLINED, APPLIED);
  expect([await isWaiting(refuted), await isWaiting(right)]).toEqual([true, true]);
  expect(await close(refuted)).toMatchObject({ kind: 'closed', intent: { status: 'failed' } });
  expect((await close(right, { closing: 'evidence_stands' })).kind).toBe('closed');
  expect(await row(refuted.id)).toMatchObject({
    ...{ status: 'failed', version: refuted.version + 1 },
    ...{ discrepancySince: null, discrepancyReason: null, discrepancyClosedAt: null },
  });
  const { discrepancySince, discrepancyReason } = right;
  expect(await row(right.id)).toMatchObject({
    ...{ status: 'failed', discrepancySince, discrepancyReason },
    discrepancyClosedAt: expect.any(Date) as Date,
  });
  expect([await isWaiting(refuted), await isWaiting(right)]).toEqual([false, false]);
});

it('who, why, on what evidence and what was closed is a row of the chain', async () => {
  const intent = await contradicted(DECLINED, APPLIED);
  await close(intent, { decisionId: 'case-1' });
  const rows = await exportedChain(database.owner);
  expect(rows.find((one) => one.decision_id === 'case-1')).toMatchObject({
    ...{ intent: intent.id, kind: 'close', operator: 'olive', authenticated: true },
    ...{ evidence: 'line 7 of the statement', reason: 'the notification was wrong' },
    closes: {
      since: intent.discrepancySince?.toISOString(),
      reason: intent.discrepancyReason,
      closing: 'outcome_stands',
    },
  });
  expect(await verifyChain(rows)).toMatchObject({ kind: 'whole', rows: rows.length });
  const forged = rows.map((one) =>
    one.decision_id === 'case-1' && one.closes !== undefined
      ? { ...one, closes: { ...one.closes, reason: 'another' } }
      : one,
  );
  expect(await verifyChain(forged)).toMatchObject({ kind: 'broken', decisionId: 'case-1' });
});

it('the same closing again is the same; of two at once one closes, and the other is told by whom', async () => {
  const intent = await contradicted(DECLINED, APPLIED);
  const id = randomUUID();
  expect((await close(intent, { decisionId: id })).kind).toBe('closed');
  expect((await close(intent, { decisionId: id })).kind).toBe('closed');
  expect((await close(intent, { decisionId: id, reason: 'another' })).kind).toBe('clash');
  const twice = await contradicted(DECLINED, APPLIED);
  const both = await Promise.all(['olive', 'oscar'].map((operator) => close(twice, { operator })));
  expect(both.map(({ kind }) => kind).sort()).toEqual(['closed', 'not_open']);
  expect(both.map(whyNot).join()).toMatch(/(olive|oscar) closed it, .+: outcome_stands\./);
});

it('a wrong id, another discrepancy, none at all and an open intent are refused, each with why', async () => {
  const nobody = { id: randomUUID(), discrepancySince: new Date() } as Shown;
  expect((await close(nobody)).kind).toBe('no_such_intent');
  const intent = await contradicted(DECLINED, APPLIED);
  expect(whyNot(await close(intent, { since: new Date(0) }))).toMatch(
    /^Another discrepancy is open, since 20/,
  );
  const { intent: open } = await recordIntent(database.api, newIntent());
  expect(whyNot(await close(open))).toBe(
    'The intent is accepted: only an ended one has a discrepancy.',
  );
  await close(intent, { closing: 'evidence_stands' });
  expect(whyNot(await close(intent))).toMatch(/^olive closed it, .+: evidence_stands\.$/);
});

it('an id that names a decision names no closing, and the other way round', async () => {
  const intent = await contradicted(DECLINED, APPLIED);
  await close(intent, { decisionId: 'taken-by-a-closing' });
  const by = { evidence: 'e', reason: 'r', operator: 'olive', authenticated: true } as const;
  const decision = { intentId: intent.id, decision: 'applied', override: false, ...by } as const;
  const again = { ...decision, decisionId: 'taken-by-a-closing' };
  expect((await recordDecision(database.api, again)).kind).toBe('clash');
  await recordDecision(database.api, { ...decision, decisionId: 'taken-by-a-decision' });
  const other = await contradicted(DECLINED, APPLIED);
  expect((await close(other, { decisionId: 'taken-by-a-decision' })).kind).toBe('clash');
  expect((await row(other.id)).discrepancySince).not.toBeNull();
});

describe('INV-6: later evidence', () => {
  it('that the closing knew opens nothing, however often a run looks again', async () => {
    const intent = await contradicted(DECLINED, APPLIED);
    await close(intent);
    await recordStanding(database.worker, intent.id);
    expect((await row(intent.id)).discrepancySince).toBeNull();
  });

  it('of another effect opens another discrepancy, which can be closed in its turn', async () => {
    const intent = await contradicted(DECLINED, APPLIED);
    await close(intent, { closing: 'evidence_stands' });
    await learn(intent.id, 'look_up', APPLIED);
    expect((await row(intent.id)).discrepancyClosedAt).not.toBeNull();
    await learn(intent.id, 'look_up', CH_2);
    const anew = await row(intent.id);
    expect(anew.discrepancySince?.getTime()).toBeGreaterThan(
      intent.discrepancySince?.getTime() ?? Infinity,
    );
    expect(anew.discrepancyClosedAt).toBeNull();
    expect(anew.discrepancyReason).toContain('ch_2');
    expect(await isWaiting(anew)).toBe(true);
    expect(whyNot(await close(intent))).toMatch(/^Another discrepancy is open/);
    expect((await close(anew)).kind).toBe('closed');
    expect(await isWaiting(anew)).toBe(false);
  });

  it('that a person had denied opens it again', async () => {
    const intent = await contradicted(DECLINED, APPLIED);
    await close(intent);
    await learn(intent.id, 'look_up', APPLIED);
    expect(await isWaiting(await row(intent.id))).toBe(true);
  });
});

describe('what reckons with it', () => {
  const refund = (charge: Shown) =>
    recordDraw(database.api, {
      ...newIntent({ operation: 'payment.refund', amount: 100 }),
      drawsOn: { intent: charge.id, providerId: 'ch_1' },
    });

  it('a charge may be refunded after outcome_stands, after evidence_stands it may not', async () => {
    const charge = await contradicted(APPLIED, REVERTED);
    expect((await refund(charge)).kind).not.toBe('new');
    const gone = await contradicted(APPLIED, REVERTED);
    await close(charge);
    await close(gone, { closing: 'evidence_stands' });
    expect((await refund(charge)).kind).toBe('new');
    expect((await refund(gone)).kind).not.toBe('new');
  });

  it('a closed one is purged in its time, an open one is not', async () => {
    const closed = await contradicted(DECLINED, APPLIED);
    const open = await contradicted(DECLINED, APPLIED);
    await close(closed, { closing: 'evidence_stands' });
    await database.owner.query(
      "update intents set finalised_at = now() - interval '40 days' where id = any ($1)",
      [[closed.id, open.id]],
    );
    await purgeExpired(database.worker, { operation: 'payment.charge', days: 30, most: 100 });
    expect((await row(closed.id)).purgedAt).not.toBeNull();
    expect((await row(open.id)).purgedAt).toBeNull();
  });
});

it.each([
  ['take the mark away', 'discrepancy_since = null, discrepancy_reason = null'],
  ['close it', 'discrepancy_closed_at = now()'],
  ['put another in its place', 'discrepancy_since = now()'],
])('no statement can %s without a closing, not even the owner’s', async (_title, change) => {
  const { id } = await contradicted(DECLINED, APPLIED);
  for (const role of [database.owner, database.worker]) {
    await expect(role.query(`update intents set ${change} where id = $1`, [id])).rejects.toThrow(
      /discrepancy_is_closed_by_a_person/,
    );
  }
});

it.each([
  ['by a name that is only claimed', { authenticated: false }, /closing_is_authenticated/],
  ['without evidence', { evidence: '  ' }, /decision_has_evidence/],
  ['that says not who is right', { closes: { since: 'x' } }, /closing_says_who_is_right/],
  ['of nothing', { closes: null }, /only_a_closing_closes/],
  ['of no intent and no effect', { intent: null }, /only_an_orphan_has_no_intent/],
])('not even the owner can record a closing %s', async (_title, changes, refusal) => {
  const { id } = await contradicted(DECLINED, APPLIED);
  const last = (await exportedChain(database.owner)).at(-1);
  const entry = {
    ...{ intent: id, authenticated: true, evidence: 'e' },
    closes: { since: '2026-01-01', reason: 'r', seen: 1, closing: 'outcome_stands' },
    ...changes,
  };
  await expect(
    database.owner.query(
      `insert into decisions (position, id, intent, kind, override, operator, authenticated, evidence,
         reason, attempts, state, previous_hash, hash, closes)
       values ($1, 'forged', $2, 'close', false, 'olive', $3, $4, 'r', 0, 'effective', $5, sha256('x'), $6)`,
      [
        ...[(last?.position ?? 0) + 1, entry.intent, entry.authenticated, entry.evidence],
        ...[Buffer.from(last?.hash ?? '00'.repeat(32), 'hex'), entry.closes],
      ],
    ),
  ).rejects.toThrow(refusal);
});
