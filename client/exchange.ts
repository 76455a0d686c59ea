/** One request until it is answered: sent, and sent again where the network or the gateway failed. */
import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswerError, ProblemError } from './errors';
import { isForNow, pauseMs, readRetryAfter, type Resending } from './resend';
import { type ProblemBody } from './types';

/** Where to, as whom, how patiently. */
export interface Line {
  /** Address of the gateway, without a path. */
  readonly baseUrl: string;
  readonly token: string;
  readonly resending: Resending;
  /** For one answer, beside the wait that the request itself asks for. */
  readonly answerWithinMs: number;
}

/** What is sent. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back and says something. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Refusals for now that come before the identity is claimed: nothing was recorded. */
const BEFORE_THE_CLAIM: ReadonlySet<string> = new Set([
  'request-timeout',
  'rate-limited',
  'overloaded',
]);

/**
 * Answers of 2xx, and problems as answers. Throws {@link NoAnswerError}, AbortError for the caller's
 * signal, and {@link ProblemError} where the last try was refused for now. Of an effect, once a try
 * may have recorded it no later refusal is the last word: that is {@link NoAnswerError}, whose cause
 * is the refusal.
 */
export async function exchange(line: Line, request: Request): Promise<Answer> {
  const { tries } = line.resending;
  let last: unknown;
  let retryAfterMs = 0;
  let mayBeRecorded = false;
  for (let number = 1; number <= tries; number += 1) {
    if (number > 1) {
      await pause(pauseMs(number, retryAfterMs, line.resending), undefined, signalOf(request));
    }
    try {
      const answer = await send(line, request);
      if (!isForNow(answer.status)) return answer;
      retryAfterMs = readRetryAfter(answer.headers.get('retry-after'));
      last = isProblem(answer.body) ? new ProblemError(answer.body) : answer.status;
      mayBeRecorded ||= !(last instanceof ProblemError && BEFORE_THE_CLAIM.has(last.problem));
    } catch (error) {
      request.signal?.throwIfAborted();
      // Refused, reset, cut or too slow: whether it arrived is not known.
      retryAfterMs = 0;
      mayBeRecorded = true;
      last = error;
    }
  }
  if (last instanceof ProblemError && !(mayBeRecorded && asksForAnEffect(request))) throw last;
  throw new NoAnswerError(tries, last);
}

function asksForAnEffect({ headers }: Request): boolean {
  return headers?.['idempotency-key'] !== undefined;
}

function signalOf({ signal }: Request): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

async function send(line: Line, request: Request): Promise<Answer> {
  const { method, path, headers = {}, body, waitSeconds, signal } = request;
  const limit = AbortSignal.timeout(line.answerWithinMs + (waitSeconds ?? 0) * 1_000);
  const response = await fetch(`${line.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${line.token}`,
      accept: 'application/json, application/problem+json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(waitSeconds !== undefined && { prefer: preference(waitSeconds) }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // An answer from elsewhere is none: the token and the key are for this address.
    redirect: 'error',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  return { status: response.status, headers: response.headers, body: await json(response) };
}

function preference(waitSeconds: number): string {
  return waitSeconds > 0 ? `wait=${Math.ceil(waitSeconds)}` : 'respond-async';
}

/** A proxy's page is no answer of the gateway: of such only the status counts. */
async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return /^application\/(?:problem\+)?json\b/.test(type) ? JSON.parse(text) : undefined;
}

/** Whether a body is a problem. */
export function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'type' in body && 'title' in body;
}
