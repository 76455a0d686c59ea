/** The campaign's judge finds every kind of contradiction, and nothing where the books agree. */
import { check } from '../../campaign/check';
import { type Books, type EffectFact, type IntentFact } from '../../campaign/facts';

const INTENT: IntentFact = {
  id: 'i-1',
  key: 'k-1',
  kind: 'charge',
  source: 'card_1',
  amount: 1000,
  charge: null,
  provider: 'sim-full',
  status: 'succeeded',
  workflowId: 'acme.payment.charge.k-1',
  discrepancy: null,
};
const CHARGE: EffectFact = { kind: 'charge', source: 'card_1', amount: 1000, status: 'succeeded' };
const AGREEING: Books = {
  keys: ['k-1'],
  intents: [INTENT],
  effects: [CHARGE],
  openWorkflows: [],
  isDecided: false,
  answers: [{ key: 'k-1', intent: 'i-1' }],
  refusals: [],
};

function kindsOf(change: Partial<Books>): readonly string[] {
  return check({ ...AGREEING, ...change }).map((one) => one.kind);
}

function withStatus(status: IntentFact['status'], more: Partial<IntentFact> = {}) {
  return { intents: [{ ...INTENT, status, ...more }] };
}

const OPEN = { openWorkflows: [INTENT.workflowId] };

function refund(amount: number, more: Partial<IntentFact> = {}): IntentFact {
  const name = `r-${amount}`;
  const workflowId = `acme.payment.refund.${name}`;
  return {
    ...INTENT,
    id: name,
    key: name,
    kind: 'refund',
    amount,
    charge: 'i-1',
    workflowId,
    ...more,
  };
}

function paidBack(amount: number, status = 'succeeded'): EffectFact {
  return { ...CHARGE, kind: 'refund', amount, status };
}

/** The charge of 1000, with these refunds on our side and on the provider's. */
function refunded(
  refunds: readonly IntentFact[],
  effects: readonly EffectFact[],
  charge: Partial<EffectFact> = {},
): Partial<Books> {
  return { intents: [INTENT, ...refunds], effects: [{ ...CHARGE, ...charge }, ...effects] };
}

function refused(why: 'refund-exceeds-charge' | 'charge-not-refundable', amount: number) {
  const refusal = { key: 'k-9', why, charge: 'i-1', chargeWas: 'succeeded', amount };
  return { answers: [{ key: 'k-9', intent: null, refused: why }], refusals: [refusal] };
}

const MESSAGE: IntentFact = { ...INTENT, kind: 'message', source: 'to_1', amount: null };
const SENT: EffectFact = { kind: 'message', source: 'to_1', amount: null, status: 'succeeded' };

describe('books that agree', () => {
  it.each<readonly [string, Partial<Books>]>([
    ['succeeded with one charge', {}],
    ['failed without a charge', { ...withStatus('failed'), effects: [] }],
    [
      'canceled with a voided charge',
      { ...withStatus('canceled'), effects: [{ ...CHARGE, status: 'voided' }] },
    ],
    [
      'in review, whatever happened, with an open workflow',
      { ...withStatus('in_review'), ...OPEN },
    ],
    [
      'two refunds that are the whole charge',
      refunded([refund(600), refund(400)], [paidBack(600), paidBack(400)]),
    ],
    [
      'a failed refund, and another in its place',
      refunded([refund(600, { status: 'failed' }), refund(700)], [paidBack(700)]),
    ],
    [
      'a refund refused for one that failed later',
      {
        ...refunded([refund(600, { status: 'failed' })], []),
        ...refused('refund-exceeds-charge', 500),
      },
    ],
    ['a message that was sent once', { intents: [MESSAGE], effects: [SENT] }],
  ])('%s', (_, change) => {
    expect(kindsOf(change)).toEqual([]);
  });
});

describe('a contradiction is found', () => {
  it.each<readonly [string, Partial<Books>]>([
    ['lost', { intents: [], effects: [] }],
    ['doubled', { effects: [CHARGE, { ...CHARGE, status: 'voided' }] }],
    ['false-failure', withStatus('failed')],
    ['false-failure', withStatus('canceled')],
    ['false-failure', { ...withStatus('failed'), effects: [{ ...CHARGE, status: 'pending' }] }],
    ['false-success', { effects: [] }],
    ['false-success', { effects: [{ ...CHARGE, status: 'voided' }] }],
    ['wrong-amount', { effects: [{ ...CHARGE, amount: 999 }] }],
    ['unfinished', { ...withStatus('unknown'), ...OPEN }],
    ['undecided', { ...withStatus('in_review'), ...OPEN, isDecided: true }],
    ['orphan', withStatus('in_review')],
    ['orphan', OPEN],
    ['orphan', { openWorkflows: ['acme.payment.charge.nobody'] }],
    ['orphan', { effects: [CHARGE, { ...CHARGE, source: 'card_2' }] }],
    ['discrepancy', withStatus('succeeded', { discrepancy: 'the provider shows none' })],
    ['identity', { intents: [INTENT, { ...INTENT, id: 'i-2' }] }],
    ['identity', { answers: [{ key: 'k-1', intent: 'i-9' }] }],
    ['lost', { answers: [{ key: 'k-1', intent: null }] }],
  ])('%s', (kind, change) => {
    expect(kindsOf(change)).toContain(kind);
  });

  it.each<readonly [string, string, Partial<Books>]>([
    ['doubled', 'paid back twice', refunded([refund(400)], [paidBack(400), paidBack(400)])],
    [
      'false-failure',
      'a failed one',
      refunded([refund(400, { status: 'failed' })], [paidBack(400)]),
    ],
    ['false-success', 'nothing paid back', refunded([refund(400)], [])],
    ['false-success', 'still pending', refunded([refund(400)], [paidBack(400, 'pending')])],
    [
      'orphan',
      'of an amount that nobody asked for',
      refunded([refund(400)], [paidBack(400), paidBack(5)]),
    ],
    ['over-refunded', 'the provider paid too much', refunded([], [paidBack(600), paidBack(401)])],
    [
      'over-refunded',
      'refunds of a voided charge',
      refunded([], [paidBack(1)], { status: 'voided' }),
    ],
    [
      'over-refunded',
      'we hold more than the charge has',
      refunded([refund(600), refund(401, { status: 'unknown' })], [paidBack(600)]),
    ],
    ['false-refusal', 'there was room', refused('refund-exceeds-charge', 1000)],
    ['false-refusal', 'the charge had succeeded', refused('charge-not-refundable', 1)],
  ])('%s, of refunds: %s', (kind, _, change) => {
    expect(kindsOf(change)).toContain(kind);
  });

  it.each<readonly [string, Partial<Books>]>([
    ['doubled', { intents: [MESSAGE], effects: [SENT, SENT] }],
    ['false-failure', { intents: [{ ...MESSAGE, status: 'failed' }], effects: [SENT] }],
    ['false-success', { intents: [MESSAGE], effects: [] }],
    ['orphan', { effects: [CHARGE, SENT] }],
  ])('%s, of messages', (kind, change) => {
    expect(kindsOf(change)).toContain(kind);
  });
});
