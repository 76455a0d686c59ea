/** From an answer to a result, or to the error that it is. */
import { ProblemError } from './errors';
import { type Answer, isProblem } from './exchange';
import { readRetryAfter } from './resend';
import { type Decided, type Intent, type Result } from './types';

/** Problems that tell how the caller's own intent ended: results, not errors. */
const OUTCOMES: ReadonlySet<string> = new Set([
  'effect-rejected',
  'effect-not-applied',
  'canceled',
  'intent-expired',
]);

/** Without Retry-After. */
const ASK_AGAIN_MS = 1_000;

/** The result that an answer about an intent tells. Throws {@link ProblemError}. */
export function resultOf({ status: httpStatus, headers, body }: Answer): Result {
  const intent = intentIn(httpStatus, body);
  const { status, verdict } = intent;
  const isRepeat = headers.get('idempotency-replayed') === 'true';
  const told = { intent, verdict, httpStatus, isRepeat };
  if (status === 'succeeded' || status === 'failed' || status === 'canceled') {
    return { ...told, status };
  }
  return { ...told, status, retryAfterMs: retryAfterMs(headers, intent) };
}

/** The result of a decision. Throws {@link ProblemError}. */
export function decidedOf(answer: Answer): Decided {
  const result = resultOf(answer);
  const { decision } = answer.body as Pick<Decided, 'decision'>;
  return { ...result, decision };
}

/** The body of a 2xx answer. Throws {@link ProblemError}. */
export function bodyOf({ status, body }: Answer): unknown {
  if (isProblem(body)) throw new ProblemError(body);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw new Error(`HTTP ${status} without a body that this client understands.`);
}

function intentIn(httpStatus: number, body: unknown): Intent {
  if (isProblem(body)) {
    const error = new ProblemError(body);
    if (OUTCOMES.has(error.problem) && error.intent !== undefined) return error.intent;
    throw error;
  }
  // Its members are the gateway's promise, held against the published document by its own tests.
  return bodyOf({ status: httpStatus, headers: new Headers(), body }) as Intent;
}

/** The header says when the engine acts next; the verdict does where a proxy dropped the header. */
function retryAfterMs(headers: Headers, { verdict: { next_check_at: at } }: Intent): number {
  const header = headers.get('retry-after');
  if (header !== null) return readRetryAfter(header);
  return Math.max(at === null ? 0 : Date.parse(at) - Date.now(), ASK_AGAIN_MS);
}
