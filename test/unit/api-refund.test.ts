/** A refund over a store of answers: what is asked in which order, and what is refused when. */
import pg from 'pg';
import { paymentRefund } from '../../operations/payment-refund';
import { type Answers, ACME, FINGERPRINTS } from '../support/gateway-under-test';
import { answer, charge } from '../support/gateway-request';
import { intentRow } from '../support/intent-row';

const CHARGED = intentRow({ status: 'succeeded', providerId: 'ch_1', nextStepAt: null });
const BODY = { charge: CHARGED.id, amount: 700, reference: 'return-1' };
const REFUND = intentRow({
  id: '01a22c76-9472-741a-9fcc-768325ffa9ae',
  operation: 'payment.refund',
  businessKey: BODY.reference,
  amount: BODY.amount,
  fingerprint: FINGERPRINTS.of(paymentRefund, BODY),
  fingerprintVersion: FINGERPRINTS.present,
  drawsOn: CHARGED.id,
  drawsOnProviderId: 'ch_1',
});
const recorded: Answers = { 'read-intent': [CHARGED], 'claim-intent': [REFUND] };

const ask = (answers: Answers, body: object = BODY) =>
  answer(charge({ url: '/v1/intents/payment.refund', payload: JSON.stringify(body) }), answers);

function refusedBy(constraint: string, detail?: string): () => never {
  return () => {
    const error = new pg.DatabaseError('refused', 0, 'error');
    throw Object.assign(error, { code: '23514', constraint, detail });
  };
}

test('the identity is asked for before the charge, and what the charge has is taken over', async () => {
  let values: readonly unknown[] = [];
  const { status, body, asked, started } = await ask({
    ...recorded,
    'claim-intent': (sent) => {
      values = sent;
      return [REFUND];
    },
  });
  expect([status, body['charge'], body['currency']]).toEqual([202, CHARGED.id, 'EUR']);
  expect(asked).toEqual(['find-caller', 'find-intent', 'read-intent', 'claim-intent']);
  expect(values.slice(9, 12)).toEqual([700, 'EUR', 'sim-full']);
  expect(values.slice(15)).toEqual([CHARGED.id, 'ch_1', 'default']);
  expect(started.map(({ id }) => id)).toEqual([REFUND.id]);
});

test('a repeat never asks for its charge', async () => {
  const done = { ...REFUND, status: 'succeeded' as const };
  const { status, asked } = await ask({ 'find-intent': [done] });
  expect([status, asked]).toEqual([201, ['find-caller', 'find-intent']]);
  const other = await ask({ 'find-intent': [done] }, { ...BODY, amount: 1 });
  expect([other.status, other.problem]).toEqual([422, 'idempotency-key-reused']);
});

test.each([['charge'], ['read'], ['cancel']] as const)(
  'the scope %s is not enough',
  async (scope) => {
    const { status, asked } = await ask({ 'find-caller': [{ ...ACME, scopes: [scope] }] });
    expect([status, asked]).toEqual([403, ['find-caller']]);
  },
);

test.each<[string, Partial<typeof CHARGED>, RegExp]>([
  ['is unknown', { status: 'unknown' }, /it is unknown/],
  ['was canceled', { status: 'canceled' }, /it is canceled/],
  [
    'is disputed by later evidence',
    { discrepancySince: new Date(), discrepancyReason: 'two of them' },
    /a person must find out/,
  ],
  ['succeeded by word alone', { providerId: null }, /id at the provider is not known/],
  ['is with a provider that left', { provider: 'gone' }, /does not serve payment\.refund/],
])('a charge that %s is not refunded, and says why', async (_title, changes, why) => {
  const { status, problem, body, asked } = await ask({
    'read-intent': [{ ...CHARGED, ...changes }],
  });
  expect([status, problem]).toEqual([409, 'charge-not-refundable']);
  expect(body['detail']).toMatch(why);
  expect(body).toMatchObject({ intent: { id: CHARGED.id } });
  expect(asked).not.toContain('claim-intent');
});

test('what the store refuses under the lock is answered from what is left', async () => {
  const { status, problem, body, started } = await ask({
    ...recorded,
    'claim-intent': refusedBy('draws_never_exceed', '300'),
  });
  expect([status, problem]).toEqual([409, 'refund-exceeds-charge']);
  expect(body['detail']).toMatch(/^At most 3\.00 EUR of the charge is left/);
  expect(started).toEqual([]);
});

test('the charge is not shown to a token that may not read it', async () => {
  const caller = { ...ACME, scopes: ['refund'] };
  const { status, body } = await ask({
    'find-caller': [caller],
    'read-intent': [{ ...CHARGED, status: 'unknown' }],
  });
  expect([status, body['detail'], body['intent'], body['verdict']]).toEqual([
    409,
    'The charge cannot be refunded: it is unknown. Nothing was recorded.',
    ...[undefined, undefined],
  ]);
});

test('a charge that changed between reading and recording is read again', async () => {
  const reads = [CHARGED, { ...CHARGED, discrepancySince: new Date(), discrepancyReason: 'x' }];
  const { problem, body } = await ask({
    'read-intent': () => [reads.shift()],
    'claim-intent': refusedBy('drawn_on_has_succeeded'),
  });
  expect(problem).toBe('charge-not-refundable');
  expect(body['detail']).toMatch(/a person must find out/);
});

test('a charge is not there where it is not the tenant’s, or is none', async () => {
  const missing = await ask({ 'read-intent': [] });
  const another = await ask({ 'read-intent': [REFUND] });
  expect([missing.status, missing.problem]).toEqual([404, 'not-found']);
  expect(another.body).toEqual(missing.body);
});
