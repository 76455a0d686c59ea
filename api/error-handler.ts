/**
 * Errors as answers. Expected ones are problems already; a store that cannot be used is 503 and
 * never 500 (INV-13); anything else is logged and answered without its internals.
 */
import { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { isStoreUnavailable } from '../store/pool';
import { type Answer, send } from './answer';
import { Problem, problemAnswer } from './problem';

/** Seconds; a restarted store is back in about this time. */
const RETRY_STORE_AFTER = '1';

/** Fastify's error handler. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = answerTo(error);
  logError(error, answer.status, request);
  return send(reply, answer);
}

/** What an operator of the gateway should read about an error; expected ones are no news. */
export function logError(error: unknown, status: number, request: FastifyRequest): void {
  if (status === 503) {
    // One line a refused request, without its stack: there may be many of them.
    request.log.warn({ error: String(error), request_id: request.id }, 'refused for now');
  } else if (status >= 500) {
    request.log.error({ err: error, request_id: request.id }, 'unexpected error');
  }
}

/** The answer that an error deserves. */
export function answerTo(error: unknown): Answer {
  if (error instanceof Problem) return problemAnswer(error.problem, error.options);
  if (isFrameworkError(error)) return frameworkAnswer(error);
  if (isStoreUnavailable(error)) {
    return problemAnswer('store-unavailable', {
      detail: 'Try again with the same Idempotency-Key; nothing can happen twice.',
      headers: { 'retry-after': RETRY_STORE_AFTER },
    });
  }
  return problemAnswer('internal-error', {
    detail: 'Try again with the same Idempotency-Key; nothing can happen twice.',
  });
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

function frameworkAnswer({ code, statusCode = 500, message }: FastifyError): Answer {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problemAnswer('content-too-large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problemAnswer('unsupported-media-type');
  if (statusCode < 500) return problemAnswer('malformed-request', { detail: message });
  return problemAnswer('internal-error');
}
