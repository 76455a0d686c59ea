/** Every answer to a refund and its one meaning; the default is unknown (INV-5). */
import { type Command, type RefundCommand } from '../../domain/command';
import { refundContract, simulatorContracts } from '../../providers/simulator/contracts';
import { lookUpFinding, sendFinding } from '../../providers/simulator/mapping';
import { type HttpResult } from '../../providers/transport';

const command: RefundCommand = { kind: 'refund', amount: 700, currency: 'EUR', charge: 'ch_1' };
const expected = { command, reference: 'rs-1' };
const refund = {
  id: 're_1',
  object: 'refund',
  status: 'succeeded',
  charge: 'ch_1',
  amount: 700,
  currency: 'EUR',
  reference: 'rs-1',
};

function answer(status: number, json?: Record<string, unknown>, replayed = false): HttpResult {
  return { kind: 'answer', status, replayed, retryAfterMs: null, json };
}
const refused = (status: number, code: string, replayed = false): HttpResult =>
  answer(status, { error: { code } }, replayed);

it.each([
  ['201 succeeded', answer(201, refund), { kind: 'applied', providerId: 're_1' }],
  ['201 pending', answer(201, { ...refund, status: 'pending' }), { kind: 'pending' }],
  [
    '201 requires_action',
    answer(201, { ...refund, status: 'requires_action' }),
    { kind: 'pending' },
  ],
  [
    '402 declined',
    answer(402, { ...refund, status: 'declined', decline_code: 'refund_declined' }),
    { kind: 'rejected', code: 'refund_declined', declined: true },
  ],
  [
    '400 refund_exceeds_charge',
    refused(400, 'refund_exceeds_charge'),
    { kind: 'rejected', code: 'refund_exceeds_charge', declined: false },
  ],
  [
    '400 charge_not_refundable',
    refused(400, 'charge_not_refundable'),
    { kind: 'rejected', code: 'charge_not_refundable', declined: false },
  ],
  [
    '404 charge_not_found',
    refused(404, 'charge_not_found'),
    { kind: 'rejected', code: 'charge_not_found', declined: false },
  ],
  ['429', answer(429), { kind: 'not_sent', answered: true }],
  ['401', answer(401), { kind: 'not_sent', answered: true }],
  ['no connection', { kind: 'not_sent', why: 'x' } as const, { kind: 'not_sent' }],
  ['a lost answer', { kind: 'lost', why: 'x' } as const, { kind: 'unknown', frozen: false }],
  ['a replayed 500', answer(500, undefined, true), { kind: 'unknown', frozen: true }],
  ['another amount', answer(201, { ...refund, amount: 701 }), { kind: 'conflict' }],
  ['another currency', answer(201, { ...refund, currency: 'USD' }), { kind: 'conflict' }],
  ['another reference', answer(201, { ...refund, reference: 'rs-2' }), { kind: 'conflict' }],
  ['another charge', answer(201, { ...refund, charge: 'ch_2' }), { kind: 'conflict' }],
])('a refund answered with %s', (_title, result, finding) => {
  expect(sendFinding(result, expected)).toMatchObject(finding);
});

it.each([
  ['200 with the refund', answer(200, refund)],
  ['201 with a charge', answer(201, { ...refund, object: 'charge' })],
  ['201 with a status that only charges have', answer(201, { ...refund, status: 'voided' })],
  ['201 without an id', answer(201, { ...refund, id: '' })],
  ['201 with nothing', answer(201)],
  ['400 without a code', answer(400, {})],
  ['400 invalid_request', refused(400, 'invalid_request')],
  ['400 already_succeeded', refused(400, 'already_succeeded')],
  ['400 charge_not_found', refused(400, 'charge_not_found')],
  ['404 refund_exceeds_charge', refused(404, 'refund_exceeds_charge')],
  ['404 not_found', refused(404, 'not_found')],
  ['409 idempotency_key_in_use', refused(409, 'idempotency_key_in_use')],
  ['a refusal out of a key’s memory', refused(400, 'refund_exceeds_charge', true)],
  ['400 constructor', refused(400, 'constructor')],
  ['500', answer(500)],
  ['504', answer(504)],
])('a refund answered with %s is unknown', (_title, result) => {
  expect(sendFinding(result, expected).kind).toBe('unknown');
});

it('the refusals of refunds are none of a charge', () => {
  const charge: Command = {
    kind: 'charge',
    amount: 700,
    currency: 'EUR',
    source: 's',
    description: null,
    metadata: {},
  };
  const finding = sendFinding(refused(400, 'refund_exceeds_charge'), {
    command: charge,
    reference: 'rs-1',
  });
  expect(finding.kind).toBe('unknown');
});

it.each([
  ['nothing', [], { kind: 'absent' }],
  ['the refund', [refund], { kind: 'applied', providerId: 're_1' }],
  ['a pending refund', [{ ...refund, status: 'pending' }], { kind: 'pending' }],
  ['a decline', [{ ...refund, status: 'declined' }], { kind: 'rejected' }],
  [
    'a decline beside it',
    [{ ...refund, id: 're_0', status: 'declined' }, refund],
    { kind: 'applied' },
  ],
  ['two refunds', [refund, { ...refund, id: 're_2' }], { kind: 'conflict' }],
  ['a refund of another amount', [{ ...refund, amount: 1 }], { kind: 'conflict' }],
  ['a refund of another charge', [{ ...refund, charge: 'ch_2' }], { kind: 'conflict' }],
  ['a charge', [{ ...refund, object: 'charge' }], { kind: 'unknown' }],
])('a look-up of a refund that lists %s', (_title, data, finding) => {
  expect(lookUpFinding(answer(200, { data }), expected)).toMatchObject(finding);
});

it('a refund has its charge’s contract, but cannot be undone, and refusals are not saved', () => {
  const overrides = '{"sim-full":{"send":{"budget_ms":500},"patience_ms":9}}';
  const { 'sim-full': full, 'sim-lookup': lookup } = simulatorContracts(overrides);
  expect(refundContract(full)).toEqual({
    ...full,
    key: { ...full.key, savesRejections: false },
    revert: false,
  });
  expect(refundContract(full)).toMatchObject({ send: { budgetMs: 500 }, patienceMs: 9 });
  expect(refundContract(lookup).key).toBeNull();
});
