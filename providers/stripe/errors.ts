/**
 * The table of Stripe's errors: status, type and code to one finding, with the page that documents
 * each row; everything else is unknown (INV-5). Retry advice (`Stripe-Should-Retry`) is not read: what
 * may be sent follows from the contract alone.
 */
import { z } from 'zod';
import { type Finding } from '../../domain/journal';
import { type HttpResult } from '../transport';

type Answer = Extract<HttpResult, { kind: 'answer' }>;

/** Every code of Stripe's is such a word; anything else is not repeated into our rows. */
const codeSchema = z.string().regex(/^[a-z0-9_]{1,64}$/);

const errorSchema = z.object({
  type: codeSchema.optional().catch(undefined),
  code: codeSchema.optional().catch(undefined),
  decline_code: codeSchema.optional().catch(undefined),
});
type ShownError = z.infer<typeof errorSchema>;

/**
 * docs.stripe.com/error-codes: refusals that speak of something that exists or is under way, not of
 * our parameters. They may be the trace of an earlier request of ours.
 */
const TRACES: ReadonlySet<string> = new Set([
  'charge_already_captured',
  'charge_already_refunded',
  'idempotency_key_in_use',
  'lock_timeout',
  'payment_intent_unexpected_state',
  'resource_already_exists',
  'status_transition_invalid',
]);

/** What an answer that is no success says of the effect. */
export function errorFinding(answer: Answer): Finding {
  const error = errorSchema.safeParse(answer.json?.['error']).data ?? {};
  switch (answer.status) {
    case 400:
    case 404:
      return refusal(error, answer);
    // docs.stripe.com/error-low-level, "Content errors": before the idempotency layer.
    case 401:
      return notSent('credentials refused (401)', answer);
    // docs.stripe.com/keys, "Restricted API keys": permission is checked before the endpoint.
    case 403:
      return notSent('permission refused (403)', answer);
    case 402:
      return declined(error, answer);
    case 429:
      return tooMany(error, answer);
    default:
      return unknown(answer, error);
  }
}

/**
 * docs.stripe.com/api/errors: `invalid_request_error` is invalid parameters, found before execution; and
 * docs.stripe.com/api/idempotent_requests: such a refusal is not saved under the key. What is missing or
 * not allowed now may be there when an earlier copy of the request arrives.
 */
function refusal(error: ShownError, answer: Answer): Finding {
  if (error.type === 'card_error') return declined(error, answer);
  // docs.stripe.com/api/idempotent_requests: `idempotency_error` says that another request came first
  // under this key. A repeat would be refused for ever: as good as frozen.
  if (error.type === 'idempotency_error') return { ...unknown(answer, error), frozen: true };
  if (error.type !== 'invalid_request_error' || TRACES.has(error.code ?? '')) {
    return unknown(answer, error);
  }
  const code = error.code ?? 'invalid_request';
  return { kind: 'rejected', code, declined: false };
}

/** docs.stripe.com/error-handling, "Payment errors"; docs.stripe.com/declines/codes. */
function declined(error: ShownError, answer: Answer): Finding {
  if (error.type !== 'card_error') return unknown(answer, error);
  const code = error.decline_code ?? error.code ?? 'card_declined';
  return { kind: 'rejected', code, declined: true };
}

/**
 * docs.stripe.com/rate-limits: limiters stand before the API. A lock that was not to be had is told
 * with the same status, and comes from the execution.
 */
function tooMany(error: ShownError, answer: Answer): Finding {
  return error.code === 'lock_timeout'
    ? unknown(answer, error)
    : notSent('rate limited (429)', answer);
}

function notSent(why: string, answer: Answer): Finding {
  return { kind: 'not_sent', why, retryAfterMs: answer.retryAfterMs, answered: true };
}

/**
 * docs.stripe.com/api/idempotent_requests: a 500 is saved. 502 to 504 may come from in front of the
 * API, where nothing is saved; if it was, the repeat under the same key says so.
 */
function unknown({ status, replayed }: Answer, { code }: ShownError): UnknownFinding {
  const why = code === undefined ? `answer ${status}` : `answer ${status} (${code})`;
  return { kind: 'unknown', why, frozen: replayed || status === 500 };
}

type UnknownFinding = Extract<Finding, { kind: 'unknown' }>;
