import { outcomeAnswer, retryAfter } from '../../api/outcome-answer';
import { type IntentRow } from '../../store/intent-row';
import { STATUSES } from '../../domain/status';
import { intentRow } from '../support/intent-row';

const now = new Date('2026-01-01T00:00:01.000Z');
const circumstances = { ownsIntent: true, deskUrl: 'http://desk/workflows', isRepeat: false, now };

const FINAL = { nextStepAt: null, finalisedAt: now };

/** The table of docs/api.md, line by line: state of the row, status, problem type. */
const TABLE: readonly (readonly [string, Partial<IntentRow>, number, string | null])[] = [
  ['succeeded', { status: 'succeeded', ...FINAL }, 201, null],
  ['accepted', { status: 'accepted' }, 202, null],
  ['executing', { status: 'executing' }, 202, null],
  ['pending', { status: 'pending' }, 202, null],
  ['unknown', { status: 'unknown', unknownSince: now }, 202, null],
  ['in review', { status: 'in_review', reviewSince: now, nextStepAt: null }, 202, null],
  ['canceled', { status: 'canceled', ...FINAL }, 409, 'canceled'],
  [
    'declined',
    { status: 'failed', ...FINAL, rejection: { code: 'card_declined', declined: true } },
    402,
    'effect-rejected',
  ],
  [
    'rejected',
    { status: 'failed', ...FINAL, rejection: { code: 'bad_source', declined: false } },
    422,
    'effect-rejected',
  ],
  ['absent and given up', { status: 'failed', ...FINAL }, 422, 'effect-not-applied'],
  [
    'purged',
    { status: 'succeeded', ...FINAL, purgedAt: now, params: null, idempotencyKey: null },
    410,
    'intent-expired',
  ],
];

describe('an intent that is', () => {
  test.each(TABLE)('%s is answered as the table says', (...row) => {
    const [, changes, status, problem] = row;
    const intent = intentRow(changes);
    const answer = outcomeAnswer(intent, circumstances);
    expect(answer.status).toBe(status);
    expect(answer.headers['location']).toBe(`/v1/intents/${intent.id}`);
    expect('retry-after' in answer.headers).toBe(status === 202);
    expect('idempotency-replayed' in answer.headers).toBe(false);
    if (problem === null) {
      expect(answer.body).toMatchObject({ id: intent.id, status: intent.status });
      return;
    }
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      type: expect.stringMatching(new RegExp(`/${problem}$`)) as string,
      status,
      detail: intent.reason,
      intent: { id: intent.id, status: intent.status },
    });
    expect(answer.body['verdict']).toEqual((answer.body['intent'] as IntentView).verdict);
  });

  test.each(TABLE)('%s gets the same answer again, marked as a repeat', (_, changes) => {
    const intent = intentRow(changes);
    const { headers, ...first } = outcomeAnswer(intent, circumstances);
    const repeat = outcomeAnswer(intent, { ...circumstances, isRepeat: true });
    expect(repeat).toEqual({
      ...first,
      headers: { ...headers, 'idempotency-replayed': 'true' },
    });
  });
});

interface IntentView {
  readonly verdict: unknown;
}

test.each(STATUSES)(
  'INV-5: a new key is never called safe while it may have happened: %s',
  (status) => {
    const isFinal = status === 'succeeded' || status === 'failed' || status === 'canceled';
    const { body } = outcomeAnswer(intentRow({ status, ...(isFinal ? FINAL : {}) }), circumstances);
    expect(body['verdict']).toEqual({
      repeat_same_key: 'safe',
      new_key: status === 'failed' || status === 'canceled' ? 'safe' : 'forbidden',
      key_valid_until: null,
      next_check_at: isFinal ? null : '2026-01-01T00:00:05.000Z',
    });
  },
);

test('an intent has every promised member, and the key for its own tenant only', () => {
  const { body } = outcomeAnswer(intentRow(), circumstances);
  expect(Object.keys(body)).toEqual([
    'id',
    'operation',
    'status',
    'idempotency_key',
    'reference',
    'charge',
    'amount',
    'currency',
    'provider',
    'provider_id',
    'attempts',
    'reason',
    'unknown_since',
    'review_since',
    'discrepancy',
    'created_at',
    'updated_at',
    'finalised_at',
    'verdict',
    'links',
  ]);
  expect(body['idempotency_key']).toBe('k1');
  expect(body['links']).toEqual({
    self: '/v1/intents/01a22c76-9472-741a-9fcc-768325ffa9ad',
    explanation: '/v1/intents/01a22c76-9472-741a-9fcc-768325ffa9ad/explanation',
    desk: 'http://desk/workflows/acme.payment.charge.h-00',
  });
  const foreign = outcomeAnswer(intentRow(), { ...circumstances, ownsIntent: false });
  expect(foreign.body['idempotency_key']).toBeNull();
});

test('a discrepancy is shown with its reason', () => {
  const { body } = outcomeAnswer(
    intentRow({ discrepancySince: now, discrepancyReason: 'late evidence' }),
    circumstances,
  );
  const since = now.toISOString();
  expect(body['discrepancy']).toEqual({ since, reason: 'late evidence', closed_at: null });
});

test.each([
  ['in the past', { nextStepAt: new Date(now.getTime() - 5_000) }, '1'],
  ['in a moment', { nextStepAt: new Date(now.getTime() + 10) }, '1'],
  ['in 1.5 s', { nextStepAt: new Date(now.getTime() + 1_500) }, '2'],
  ['in an hour', { nextStepAt: new Date(now.getTime() + 3_600_000) }, '60'],
  ['unknown', { nextStepAt: null }, '1'],
  ['a person’s', { status: 'in_review' as const, nextStepAt: null }, '60'],
])('B135: Retry-After is whole seconds, 1 to 60: the next step is %s', (_, changes, seconds) => {
  expect(retryAfter(intentRow(changes), now)).toBe(seconds);
});
