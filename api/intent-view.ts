/** The one shape in which every answer shows an intent, and its verdict block. */
import { type z } from 'zod';
import { isFinal, type Status } from '../domain/status';
import { type IntentRow } from '../store/intent-row';
import { type intentShape, type verdictShape } from './openapi/shapes';

/** For whom an intent is shown. */
export interface Viewer {
  /** The tenant of the intent itself: only it is shown the idempotency key. */
  readonly ownsIntent: boolean;
  /** The Web UI's list of workflows. */
  readonly deskUrl: string;
}

/** Path of an intent. */
export function intentPath(id: string): string {
  return `/v1/intents/${id}`;
}

/**
 * A repeat under the same key never does anything twice. A new key is safe only where it is proven
 * that nothing was done; on `unknown` above all it is not.
 */
export function verdictOf(status: Status, nextStepAt: Date | null): z.infer<typeof verdictShape> {
  return {
    repeat_same_key: 'safe',
    new_key: status === 'failed' || status === 'canceled' ? 'safe' : 'forbidden',
    // Identities are kept for ever (INV-1).
    key_valid_until: null,
    next_check_at: isFinal(status) ? null : toText(nextStepAt),
  };
}

/** The intent as callers see it. */
export function intentView(intent: IntentRow, viewer: Viewer): z.infer<typeof intentShape> {
  return {
    id: intent.id,
    operation: intent.operation,
    status: intent.status,
    idempotency_key: viewer.ownsIntent ? intent.idempotencyKey : null,
    reference: intent.businessKey,
    charge: intent.drawsOn,
    amount: intent.amount,
    currency: intent.currency,
    provider: intent.provider,
    provider_id: intent.providerId,
    attempts: intent.attemptCount,
    reason: intent.reason,
    unknown_since: toText(intent.unknownSince),
    review_since: toText(intent.reviewSince),
    discrepancy: discrepancyOf(intent),
    created_at: intent.createdAt.toISOString(),
    updated_at: intent.updatedAt.toISOString(),
    finalised_at: toText(intent.finalisedAt),
    verdict: verdictOf(intent.status, intent.nextStepAt),
    links: {
      self: intentPath(intent.id),
      explanation: `${intentPath(intent.id)}/explanation`,
      desk: `${viewer.deskUrl}/${encodeURIComponent(intent.workflowId)}`,
    },
  };
}

function discrepancyOf({ discrepancySince: since, ...intent }: IntentRow) {
  if (since === null) return null;
  const closedAt = toText(intent.discrepancyClosedAt);
  return { since: since.toISOString(), reason: intent.discrepancyReason, closed_at: closedAt };
}

function toText(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
