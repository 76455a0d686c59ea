/** The campaign's judge finds every kind of contradiction, and nothing where the books agree. */
import { type Books, check, type IntentFact } from '../../campaign/check';
import { planBlows, planIntents } from '../../campaign/plan';

const INTENT: IntentFact = {
  id: 'i-1',
  key: 'k-1',
  source: 'card_1',
  provider: 'sim-full',
  status: 'succeeded',
  workflowId: 'acme.payment.charge.k-1',
  discrepancy: null,
};
const CHARGE = { source: 'card_1', status: 'succeeded' };
const AGREEING: Books = {
  keys: ['k-1'],
  intents: [INTENT],
  charges: [CHARGE],
  openWorkflows: [],
  isDecided: false,
  answers: [{ key: 'k-1', intent: 'i-1' }],
};

function kindsOf(change: Partial<Books>): readonly string[] {
  return check({ ...AGREEING, ...change }).map((one) => one.kind);
}

function withStatus(status: IntentFact['status'], more: Partial<IntentFact> = {}) {
  return { intents: [{ ...INTENT, status, ...more }] };
}

const OPEN = { openWorkflows: [INTENT.workflowId] };

describe('books that agree', () => {
  it.each<readonly [string, Partial<Books>]>([
    ['succeeded with one charge', {}],
    ['failed without a charge', { ...withStatus('failed'), charges: [] }],
    [
      'canceled with a voided charge',
      { ...withStatus('canceled'), charges: [{ ...CHARGE, status: 'voided' }] },
    ],
    [
      'in review, whatever happened, with an open workflow',
      { ...withStatus('in_review'), ...OPEN },
    ],
  ])('%s', (_, change) => {
    expect(kindsOf(change)).toEqual([]);
  });
});

describe('a contradiction is found', () => {
  it.each<readonly [string, Partial<Books>]>([
    ['lost', { intents: [], charges: [] }],
    ['doubled', { charges: [CHARGE, { ...CHARGE, status: 'voided' }] }],
    ['false-failure', withStatus('failed')],
    ['false-failure', withStatus('canceled')],
    ['false-failure', { ...withStatus('failed'), charges: [{ ...CHARGE, status: 'pending' }] }],
    ['false-success', { charges: [] }],
    ['false-success', { charges: [{ ...CHARGE, status: 'voided' }] }],
    ['unfinished', { ...withStatus('unknown'), ...OPEN }],
    ['undecided', { ...withStatus('in_review'), ...OPEN, isDecided: true }],
    ['orphan', withStatus('in_review')],
    ['orphan', OPEN],
    ['orphan', { openWorkflows: ['acme.payment.charge.nobody'] }],
    ['orphan', { charges: [CHARGE, { source: 'card_2', status: 'succeeded' }] }],
    ['discrepancy', withStatus('succeeded', { discrepancy: 'the provider shows none' })],
    ['identity', { intents: [INTENT, { ...INTENT, id: 'i-2' }] }],
    ['identity', { answers: [{ key: 'k-1', intent: 'i-9' }] }],
    ['lost', { answers: [{ key: 'k-1', intent: null }] }],
  ])('%s', (kind, change) => {
    expect(kindsOf(change)).toContain(kind);
  });
});

describe('the plan', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planIntents(7, 50)).toEqual(planIntents(7, 50));
    expect(planIntents(7, 50).map((one) => one.faults)).not.toEqual(
      planIntents(8, 50).map((one) => one.faults),
    );
  });

  it('strikes every process in every way', () => {
    const struck = new Set<string>();
    for (const { process, kind } of planBlows(1)) {
      struck.add(`${kind} ${process}`);
      if (struck.size === 15) break;
    }
    expect(struck.size).toBe(15);
  });
});
