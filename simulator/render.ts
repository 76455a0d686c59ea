// The shapes outsiders see: the providers' charges and refunds, and the ledger's lines.

import { type Call, type Effect } from './records';

interface ChargeBody {
  readonly id: string;
  readonly object: 'charge';
  readonly status: string;
  readonly amount: number | null;
  readonly amount_refunded: number;
  readonly currency: string | null;
  readonly reference: string | null;
  readonly created_at: string;
}

/** Milliseconds since the epoch as ISO 8601 with milliseconds and Z. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A charge as the provider shows it. */
export function chargeBody(effect: Effect): ChargeBody & Record<string, unknown> {
  return {
    id: effect.id,
    object: 'charge',
    status: effect.status,
    amount: effect.amount,
    amount_refunded: effect.refunded,
    currency: effect.currency,
    reference: effect.reference,
    created_at: isoTime(effect.createdAtMs),
    ...(effect.declineCode === null ? {} : { decline_code: effect.declineCode }),
    ...(effect.status === 'requires_action' ? { next_action: { type: 'authenticate' } } : {}),
  };
}

/** A refund, or a declined void, as the provider shows it. */
export function childBody(effect: Effect): Record<string, unknown> {
  return {
    id: effect.id,
    object: effect.kind,
    status: effect.status,
    charge: effect.charge,
    amount: effect.amount,
    currency: effect.currency,
    reference: effect.reference,
    created_at: isoTime(effect.createdAtMs),
    ...(effect.declineCode === null ? {} : { decline_code: effect.declineCode }),
  };
}

/** A message as the provider shows it; the text is not kept. */
export function messageBody(effect: Effect): Record<string, unknown> {
  return {
    id: effect.id,
    object: 'message',
    status: effect.status,
    to: effect.source,
    reference: effect.reference,
    created_at: isoTime(effect.createdAtMs),
    ...(effect.declineCode === null ? {} : { decline_code: effect.declineCode }),
  };
}

/** An effect as the ledger shows it. */
export function effectLine(effect: Effect): Record<string, unknown> {
  return {
    id: effect.id,
    kind: effect.kind,
    provider: effect.provider,
    key: effect.key,
    reference: effect.reference,
    charge: effect.charge,
    charge_reference: effect.chargeReference,
    source: effect.source,
    amount: effect.amount,
    currency: effect.currency,
    status: effect.status,
    created_at: isoTime(effect.createdAtMs),
    visible_at: isoTime(effect.visibleAtMs),
  };
}

/** A call as the ledger shows it. */
export function callLine(call: Call): Record<string, unknown> {
  return {
    call: call.call,
    provider: call.provider,
    key: call.key,
    reference: call.reference,
    charge: call.charge,
    charge_reference: call.chargeReference,
    source: call.source,
    amount: call.amount,
    currency: call.currency,
    at: isoTime(call.atMs),
    behaviour: call.behaviour,
  };
}
