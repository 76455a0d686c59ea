/** Every answer of the provider and its one meaning; the default is unknown (INV-5). */
import { type ChargeCommand } from '../../domain/command';
import { lookUpFinding, revertFinding, sendFinding } from '../../providers/simulator/mapping';
import { type HttpResult } from '../../providers/transport';

const command: ChargeCommand = {
  kind: 'charge',
  amount: 1000,
  currency: 'EUR',
  source: 'card_1',
  description: null,
  metadata: {},
};
const expected = { command, reference: 'rs-1' };
const charge = {
  id: 'ch_1',
  object: 'charge',
  status: 'succeeded',
  amount: 1000,
  currency: 'EUR',
  reference: 'rs-1',
};

function answer(status: number, json?: Record<string, unknown>, replayed = false): HttpResult {
  return { kind: 'answer', status, replayed, retryAfterMs: null, json };
}

it.each([
  ['201 succeeded', answer(201, charge), { kind: 'applied', providerId: 'ch_1' }],
  ['201 pending', answer(201, { ...charge, status: 'pending' }), { kind: 'pending' }],
  [
    '201 requires_action',
    answer(201, { ...charge, status: 'requires_action' }),
    { kind: 'pending' },
  ],
  [
    '402 declined',
    answer(402, { ...charge, status: 'declined', decline_code: 'no_funds' }),
    { kind: 'rejected', code: 'no_funds', declined: true },
  ],
  ['201 voided', answer(201, { ...charge, status: 'voided' }), { kind: 'reverted' }],
  ['429', answer(429), { kind: 'not_sent', answered: true }],
  ['401', answer(401), { kind: 'not_sent', answered: true }],
  ['no connection', { kind: 'not_sent', why: 'x' } as const, { kind: 'not_sent' }],
  ['a lost answer', { kind: 'lost', why: 'x' } as const, { kind: 'unknown', frozen: false }],
  ['500', answer(500), { kind: 'unknown', frozen: false }],
  ['a replayed 500', answer(500, undefined, true), { kind: 'unknown', frozen: true }],
  ['another amount', answer(201, { ...charge, amount: 1001 }), { kind: 'conflict' }],
  ['another currency', answer(201, { ...charge, currency: 'USD' }), { kind: 'conflict' }],
  ['another reference', answer(201, { ...charge, reference: 'rs-2' }), { kind: 'conflict' }],
])('a send answered with %s', (_title, result, finding) => {
  expect(sendFinding(result, expected)).toMatchObject(finding);
});

it.each([
  200, 202, 204, 301, 302, 307, 400, 403, 404, 405, 408, 409, 410, 412, 418, 422, 425, 451, 500,
  501, 502, 503, 504, 520, 599,
])('a send answered with %i is unknown, whatever the body says', (status) => {
  expect(sendFinding(answer(status, charge), expected).kind).toBe('unknown');
  expect(sendFinding(answer(status, { error: { code: 'already_succeeded' } }), expected).kind).toBe(
    'unknown',
  );
});

it.each([
  ['nothing', undefined],
  ['no id', { ...charge, id: undefined }],
  ['an empty id', { ...charge, id: '' }],
  ['another object', { ...charge, object: 'refund' }],
  ['an unknown status', { ...charge, status: 'processing_maybe' }],
  ['no status', { ...charge, status: undefined }],
])('201 with %s is unknown', (_title, json) => {
  expect(sendFinding(answer(201, json), expected).kind).toBe('unknown');
});

it.each([
  ['nothing', [], { kind: 'absent' }],
  ['the charge', [charge], { kind: 'applied', providerId: 'ch_1' }],
  ['a decline', [{ ...charge, status: 'declined' }], { kind: 'rejected' }],
  [
    'a decline beside a charge',
    [{ ...charge, id: 'ch_0', status: 'declined' }, charge],
    { kind: 'applied' },
  ],
  ['two charges', [charge, { ...charge, id: 'ch_2' }], { kind: 'conflict' }],
  ['a charge of another amount', [{ ...charge, amount: 1 }], { kind: 'conflict' }],
  ['something unreadable', [{ id: 5 }], { kind: 'unknown' }],
])('a look-up that lists %s', (_title, data, finding) => {
  expect(lookUpFinding(answer(200, { data }), expected)).toMatchObject(finding);
});

it.each([
  ['404', answer(404, { data: [] })],
  ['403', answer(403, { error: { code: 'forbidden' } })],
  ['500', answer(500)],
  ['200 without a list', answer(200, {})],
  ['200 with garbage', answer(200)],
  ['no connection', { kind: 'not_sent', why: 'x' } as const],
  ['a lost answer', { kind: 'lost', why: 'x' } as const],
])('a look-up answered with %s says nothing', (_title, result) => {
  expect(lookUpFinding(result, expected).kind).toBe('unknown');
});

it.each([
  ['already_succeeded', 'rejected'],
  ['already_captured', 'rejected'],
  ['charge_already_refunded', 'rejected'],
  ['charge_not_voidable', 'rejected'],
  // An earlier void of ours, whose answer was lost, may have been it.
  ['charge_already_voided', 'unknown'],
  ['anything_else', 'unknown'],
])('B82: a void answered with 400 %s is %s', (code, kind) => {
  const refused = answer(400, { error: { code } });
  expect(revertFinding(refused, { command, providerId: 'ch_1' }).kind).toBe(kind);
  const replayed = answer(400, { error: { code } }, true);
  expect(revertFinding(replayed, { command, providerId: 'ch_1' }).kind).toBe('unknown');
});
