/**
 * Decisions as evidence (rule 10): once per id, under the row lock, in one unforkable chain, by two
 * persons where two are needed. What a decision makes of an intent is the rules' business; here it is
 * what is recorded, and by whom it can be.
 */
import { type DecisionKind } from '../../domain/decision';
import { type SendStep } from '../../domain/step';
import { approveDecision } from '../../store/approve-decision';
import { openAttempt } from '../../store/open-attempt';
import { readDecisions } from '../../store/read-decisions';
import { type Decided, type NewDecision, recordDecision } from '../../store/record-decision';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { BLIND, LOST, NOT_SENT } from '../support/journal-of';
import { until } from '../support/until';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
// Ten lost answers in a row would hold what the provider is sent next.
beforeEach(() => database.owner.query('delete from provider_circuits'));

const FIRST: SendStep = { kind: 'send', effect: 'apply', number: 1, generation: 1 };
/** A provider that cannot be asked; its sends are proven over half a second after they began. */
const QUICKLY_OVER = { ...BLIND, send: { budgetMs: 1, horizonMs: 0, mayRepeat: false } };

/** An intent in review: sent, and the answer was lost. */
async function inReview(more: Parameters<typeof newIntent>[0] = {}): Promise<string> {
  const policy = { attemptCap: 3, approvalThreshold: 100_000 };
  const wanted = newIntent({ contract: QUICKLY_OVER, policy, ...more });
  const { id } = (await recordIntent(database.api, wanted)).intent;
  await openAttempt(database.worker, { intentId: id, step: FIRST, owner: 'test' });
  await recordFinding(database.worker, {
    intentId: id,
    effect: 'apply',
    attempt: 1,
    source: 'response',
    finding: LOST,
    askedAt: 0,
  });
  return id;
}

let made = 0;

function wanted(intentId: string, more: Partial<NewDecision> = {}): NewDecision {
  made += 1;
  return {
    intentId,
    decisionId: `d${made}`,
    decision: 'applied',
    override: false,
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
    operator: 'olive',
    authenticated: true,
    ...more,
  };
}

function decide(intentId: string, more: Partial<NewDecision> = {}): Promise<Decided> {
  return recordDecision(database.api, wanted(intentId, more));
}

async function row(id: string) {
  return (await recordStanding(database.worker, id)).intent;
}

function untilStatus(id: string, status: string): Promise<true> {
  return until(`${id} is ${status}`, async () =>
    (await row(id)).status === status ? true : undefined,
  );
}

async function decidedFindings(id: string): Promise<readonly string[]> {
  const { journal } = await recordStanding(database.worker, id);
  return journal.observations.flatMap(({ finding }) =>
    finding.kind === 'decided' ? [`${finding.decisionId} ${finding.decision}`] : [],
  );
}

it.each<[DecisionKind, string]>([
  ['applied', 'succeeded'],
  ['not_applied', 'failed'],
  ['retry', 'accepted'],
])('where nobody can be asked, %s counts: %s', async (decision, status) => {
  const id = await inReview();
  expect(await decide(id, { decision })).toMatchObject({
    kind: 'recorded',
    decision: { state: 'effective', attempts: 1 },
  });
  await untilStatus(id, status);
  const { rows } = await database.owner.query(
    'select type from intent_events where intent = $1 and type = $2',
    [id, `resolute.intent.${status}`],
  );
  expect(rows.length).toBeGreaterThan(0);
});

it('INV-7: evidence, standing and event are of the same commit as the decision', async () => {
  const id = await inReview();
  await decide(id);
  const { rows } = await database.owner.query<{ n: number }>(
    `select count(distinct written) as n from (
       select xmin::text as written from decisions where intent = $1
       union all select xmin::text from observations where intent = $1 and source = 'operator') all_of`,
    [id],
  );
  expect(rows[0]?.n).toBe(1);
});

it('a decision id again is the same decision, also after the end', async () => {
  const id = await inReview();
  const same = wanted(id);
  const first = await recordDecision(database.api, same);
  await untilStatus(id, 'succeeded');
  const again = await recordDecision(database.api, same);
  const [known, repeated] = [first, again].map((one) =>
    one.kind === 'recorded' ? one.decision : null,
  );
  expect(repeated).toEqual(known);
  expect(await decidedFindings(id)).toEqual([`${same.decisionId} applied`]);
});

it('twenty at once under one id are one decision', async () => {
  const id = await inReview();
  const same = wanted(id);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => recordDecision(database.api, same)),
  );
  expect(all.every((one) => one.kind === 'recorded' && one.decision.state === 'effective')).toBe(
    true,
  );
  expect(await decidedFindings(id)).toHaveLength(1);
  expect(await readDecisions(database.api, id, 'every-tenant')).toHaveLength(1);
});

it.each<[string, Partial<NewDecision>]>([
  ['another decision', { decision: 'not_applied' }],
  ['another reason', { reason: 'changed my mind' }],
  ['another person', { operator: 'oscar' }],
])('a decision id with %s is a clash and changes nothing', async (_title, change) => {
  const id = await inReview();
  const first = wanted(id);
  await recordDecision(database.api, first);
  expect(await recordDecision(database.api, { ...first, ...change })).toEqual({ kind: 'clash' });
  const elsewhere = await inReview();
  expect(await recordDecision(database.api, { ...first, intentId: elsewhere })).toEqual({
    kind: 'clash',
  });
  expect(await decidedFindings(id)).toHaveLength(1);
});

it('B127: a contradictory decision after the end is refused and on record', async () => {
  const id = await inReview();
  await decide(id, { decision: 'not_applied', operator: 'olive' });
  await untilStatus(id, 'failed');
  const late = await decide(id, { decision: 'applied', operator: 'oscar' });
  expect(late).toMatchObject({ decision: { state: 'refused', refusalCode: 'too-late' } });
  expect((await row(id)).status).toBe('failed');
  expect(await readDecisions(database.api, id, { tenant: 'acme' })).toMatchObject([
    { operator: 'olive', state: 'effective' },
    { operator: 'oscar', state: 'refused', kind: 'applied' },
  ]);
});

it('there is nothing to decide about an intent that was not sent', async () => {
  const { id } = (await recordIntent(database.api, newIntent({ contract: QUICKLY_OVER }))).intent;
  expect(await decide(id)).toMatchObject({ decision: { refusalCode: 'decision-not-legal' } });
  await openAttempt(database.worker, { intentId: id, step: FIRST, owner: 'test' });
  const found = { intentId: id, effect: 'apply', attempt: 1, source: 'response' } as const;
  await recordFinding(database.worker, { ...found, finding: NOT_SENT, askedAt: 0 });
  expect(await decide(id)).toMatchObject({ decision: { refusalCode: 'decision-not-legal' } });
});

it('an intent that does not exist cannot be decided', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000';
  expect(await decide(nobody)).toEqual({ kind: 'no_such_intent' });
});

describe('above the threshold', () => {
  const much = { amount: 100_001 };

  it('exactly at it one person is enough', async () => {
    const id = await inReview({ amount: 100_000 });
    expect(await decide(id)).toMatchObject({ decision: { state: 'effective' } });
  });

  it('one person proposes, not twice the same, and another one approves', async () => {
    const id = await inReview(much);
    const proposal = wanted(id);
    const { decisionId } = proposal;
    expect(await recordDecision(database.api, proposal)).toMatchObject({
      decision: { state: 'proposed' },
      intent: { status: 'in_review' },
    });
    expect(await decidedFindings(id)).toEqual([]);
    const self = await approveDecision(database.api, {
      intentId: id,
      decisionId,
      operator: 'Olive',
    });
    expect(self).toMatchObject({ kind: 'refused', refusal: { code: 'decision-not-legal' } });
    const oscar = { intentId: id, decisionId, operator: 'oscar' };
    expect((await approveDecision(database.api, oscar)).kind).toBe('approved');
    expect((await approveDecision(database.api, oscar)).kind).toBe('approved');
    expect(await decidedFindings(id)).toEqual([`${decisionId} applied`]);
    await untilStatus(id, 'succeeded');
    expect(await recordDecision(database.api, proposal)).toMatchObject({ approved: true });
    const chain = await readDecisions(database.api, id, 'every-tenant');
    expect(chain.map(({ kind, state, operator }) => [kind, state, operator])).toEqual([
      ['applied', 'proposed', 'olive'],
      ['approve', 'refused', 'Olive'],
      ['approve', 'effective', 'oscar'],
    ]);
  });

  it('two approvals at once take effect once', async () => {
    const id = await inReview(much);
    const proposal = wanted(id);
    await recordDecision(database.api, proposal);
    const { decisionId } = proposal;
    const kinds = await Promise.all(
      ['oscar', 'otto', 'olga'].map(
        async (operator) =>
          (await approveDecision(database.api, { intentId: id, decisionId, operator })).kind,
      ),
    );
    expect(kinds).toEqual(['approved', 'approved', 'approved']);
    expect(await decidedFindings(id)).toHaveLength(1);
  });

  it('B126: what the provider answered between proposal and approval counts', async () => {
    const id = await inReview(much);
    const { decisionId, ...rest } = wanted(id, { decision: 'not_applied' });
    await recordDecision(database.api, { decisionId, ...rest });
    await recordFinding(database.worker, {
      intentId: id,
      effect: 'apply',
      attempt: null,
      source: 'look_up',
      finding: { kind: 'applied', providerId: 'ch_1' },
      askedAt: Date.now(),
    });
    const approval = { intentId: id, decisionId, operator: 'oscar' };
    expect(await approveDecision(database.api, approval)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'too-late' },
    });
    expect((await row(id)).status).toBe('succeeded');
  });

  it('a decision of another intent, or none, cannot be approved', async () => {
    const id = await inReview(much);
    const elsewhere = await inReview(much);
    const proposal = wanted(elsewhere);
    await recordDecision(database.api, proposal);
    for (const decisionId of [proposal.decisionId, 'nothing']) {
      const approval = { intentId: id, decisionId, operator: 'oscar' };
      expect(await approveDecision(database.api, approval)).toEqual({ kind: 'no_such_decision' });
    }
  });
});

describe('a name that is only claimed', () => {
  it('decides below the threshold, marked as a claim', async () => {
    const id = await inReview();
    const claim = await recordDecision(database.worker, wanted(id, { authenticated: false }));
    expect(claim).toMatchObject({ decision: { state: 'effective', authenticated: false } });
  });

  it('proposes above it, and one authenticated person of another name approves', async () => {
    const id = await inReview({ amount: 200_000 });
    const claim = wanted(id, { authenticated: false, operator: 'olive' });
    expect(await recordDecision(database.worker, claim)).toMatchObject({
      decision: { state: 'proposed' },
    });
    const approval = { intentId: id, decisionId: claim.decisionId };
    const own = await approveDecision(database.api, { ...approval, operator: 'olive' });
    expect(own.kind).toBe('refused');
    const other = await approveDecision(database.api, { ...approval, operator: 'oscar' });
    expect(other.kind).toBe('approved');
  });

  it('cannot propose an override: that takes two authenticated persons', async () => {
    const id = await inReview();
    const claim = await decide(id, { authenticated: false, override: true });
    expect(claim).toMatchObject({ decision: { state: 'refused' } });
    const proven = await decide(id, { override: true });
    expect(proven).toMatchObject({ decision: { state: 'proposed' } });
  });
});
