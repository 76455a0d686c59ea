/** Intent rows for tests of the gateway: a fresh charge unless told otherwise. */
import { type IntentRow } from '../../store/intent-row';

const CREATED = new Date('2026-01-01T00:00:00.000Z');

/** A row as the store returns it. */
export function intentRow(changes: Partial<IntentRow> = {}): IntentRow {
  return {
    id: '01a22c76-9472-741a-9fcc-768325ffa9ad',
    tenant: 'acme',
    operation: 'payment.charge',
    operationVersion: 1,
    idempotencyKey: 'k1',
    fingerprint: Buffer.alloc(32),
    fingerprintVersion: 1,
    businessKey: 'order-1',
    params: {},
    amount: 1000,
    currency: 'EUR',
    provider: 'sim-full',
    providerAccount: 'default',
    providerId: null,
    contract: {
      version: 1,
      key: null,
      reference: { maxBytes: 255, alphabet: '!-~' },
      lookUp: null,
      send: { budgetMs: 2_000, horizonMs: 1_000, mayRepeat: false },
      notifications: true,
      revert: true,
      patienceMs: 120_000,
    },
    policy: { attemptCap: 3 },
    status: 'accepted',
    version: 1,
    reason: 'Recorded; about to be sent.',
    rejection: null,
    attemptCount: 0,
    unknownSince: null,
    reviewSince: null,
    nextStepAt: new Date(CREATED.getTime() + 5_000),
    workflowId: 'acme.payment.charge.h-00',
    drawsOn: null,
    drawsOnProviderId: null,
    cancelRequestedAt: null,
    cancelRequestedBy: null,
    discrepancySince: null,
    discrepancyReason: null,
    discrepancyClosedAt: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    finalisedAt: null,
    purgedAt: null,
    ...changes,
  };
}
