// The honest provider: what a charge, a refund, a void and a message do, as a list of ledger records and the
// answer that goes with them. Nothing is committed here, and faults are none of its business.

import { randomBytes } from 'node:crypto';

import { type Answer, failure, json } from './answer';
import { type Ledger } from './ledger';
import { type CreateRequest, type Effect, type LedgerRecord } from './records';
import { chargeBody, childBody, messageBody } from './render';
import { type EffectStatus } from './words';

export type ExecutedStatus = Exclude<EffectStatus, 'voided'>;

/** How a request is to be executed; times are milliseconds. */
interface Terms {
  readonly status: ExecutedStatus;
  readonly nowMs: number;
  readonly visibleAfterMs: number;
}

/** What executing a request would do. `effect` is null when the provider refuses. */
interface Execution {
  readonly answer: Answer;
  readonly effect: Effect | null;
  readonly records: readonly LedgerRecord[];
}

const ID_PREFIX = { charge: 'ch', refund: 're', void: 'vd', message: 'ms' } as const;
const DECLINE_CODE = {
  charge: 'card_declined',
  refund: 'refund_declined',
  void: 'void_declined',
  message: 'message_refused',
} as const;

/** Executes a well-formed request against the ledger as it stands. */
export function execute(ledger: Ledger, request: CreateRequest, terms: Terms): Execution {
  switch (request.kind) {
    case 'charge':
      return executeNew(request, terms, chargeBody);
    case 'refund':
      return executeRefund(ledger, request, terms);
    case 'void':
      return executeVoid(ledger, request, terms);
    case 'message':
      return executeNew(request, terms, messageBody);
  }
}

/** What depends on nothing that is there already: a charge, a message. */
function executeNew(
  request: CreateRequest,
  terms: Terms,
  bodyOf: (effect: Effect) => unknown,
): Execution {
  const effect = newEffect(request, terms);
  const status = terms.status === 'declined' ? 402 : 201;
  return {
    answer: json(status, bodyOf(effect)),
    effect,
    records: [{ type: 'effect', effect }],
  };
}

function executeRefund(ledger: Ledger, request: CreateRequest, terms: Terms): Execution {
  const charge = chargeOf(ledger, request);
  if (charge === null) return unknownCharge();
  if (charge.status !== 'succeeded') {
    return refused('charge_not_refundable', `The charge is ${charge.status}.`);
  }
  const effect = newEffect(request, terms);
  const refunded = charge.refunded + (effect.amount ?? 0);
  if (terms.status !== 'declined' && refunded > (charge.amount ?? 0)) {
    return refused('refund_exceeds_charge', 'The refunds would exceed the charge.');
  }
  if (terms.status === 'declined') return declined(effect);
  return {
    answer: json(201, childBody(effect)),
    effect,
    records: [
      { type: 'effect', effect },
      { type: 'effect-changed', id: charge.id, change: { refunded } },
    ],
  };
}

function executeVoid(ledger: Ledger, request: CreateRequest, terms: Terms): Execution {
  const charge = chargeOf(ledger, request);
  if (charge === null) return unknownCharge();
  if (charge.status === 'voided') return refused('charge_already_voided', 'It is voided already.');
  if (charge.status === 'declined') return refused('charge_not_voidable', 'It was declined.');
  if (charge.refunded > 0) return refused('charge_already_refunded', 'It was refunded already.');
  const effect = newEffect(request, terms);
  if (terms.status === 'declined') return declined(effect);
  const voided = { from: charge.status, visibleAtMs: effect.visibleAtMs };
  const change = { status: 'voided', voided } as const;
  return {
    answer: json(200, chargeBody({ ...charge, ...change })),
    effect,
    records: [
      { type: 'effect', effect },
      { type: 'effect-changed', id: charge.id, change },
    ],
  };
}

/** The charge a request names, if its provider has it. */
function chargeOf(ledger: Ledger, request: CreateRequest): Effect | null {
  const effect = request.charge === null ? null : ledger.find(request.provider, request.charge);
  return effect?.kind === 'charge' ? effect : null;
}

function newEffect(request: CreateRequest, terms: Terms): Effect {
  const { source, amount, currency } = request;
  const hasMoney = amount !== null && currency !== null;
  if (source === null || hasMoney === (request.kind === 'message')) {
    throw new Error(`a ${request.kind} without what it needs reached the execution`);
  }
  return {
    // Random, so that nobody can come to rely on deriving ids from references.
    id: `${ID_PREFIX[request.kind]}_${randomBytes(12).toString('hex')}`,
    kind: request.kind,
    provider: request.provider,
    key: request.key,
    reference: request.reference,
    charge: request.charge,
    chargeReference: request.chargeReference,
    source,
    amount,
    currency,
    declineCode: terms.status === 'declined' ? DECLINE_CODE[request.kind] : null,
    createdAtMs: terms.nowMs,
    status: terms.status,
    visibleAtMs: terms.nowMs + terms.visibleAfterMs,
    refunded: 0,
    voided: null,
    laggedBy: null,
  };
}

function declined(effect: Effect): Execution {
  return {
    answer: json(402, childBody(effect)),
    effect,
    records: [{ type: 'effect', effect }],
  };
}

function unknownCharge(): Execution {
  return nothing(failure(404, 'charge_not_found', 'There is no such charge.'));
}

function refused(code: string, message: string): Execution {
  return nothing(failure(400, code, message));
}

function nothing(answer: Answer): Execution {
  return { answer, effect: null, records: [] };
}
