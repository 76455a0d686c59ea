/**
 * One HTTP call to a provider under one hard deadline over connect, TLS, write and read. No retries,
 * no redirects, bounded bodies. The result says what is certain: an answer, proof that no byte left,
 * or neither.
 */
import { Agent, type Dispatcher, request } from 'undici';
import { createFence, type Fence } from './fence';

/** A call; `body` is sent as JSON, `form` as it is; at most one of them. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Already encoded as application/x-www-form-urlencoded. */
  readonly form?: string;
  /** Monotonic (`performance.now()`, milliseconds). */
  readonly deadline: number;
}

/**
 * - `answer`: a whole answer; `json` is undefined where the body is no JSON object
 * - `not_sent`: proof that no byte left
 * - `lost`: anything else
 */
export type HttpResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly replayed: boolean;
      readonly retryAfterMs: number | null;
      readonly json: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly kind: 'not_sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

/** Calls one provider. */
export interface Transport {
  call(call: HttpCall): Promise<HttpResult>;
  close(): Promise<void>;
}

/** What may be set per provider; a member left out has the default. */
export interface TransportOptions {
  /** Connections to the origin at one time. */
  readonly connections?: number;
  /** A longer answer counts as lost. */
  readonly bodyLimitBytes?: number;
  /** False: a new connection for each call, so that none is written into a socket just closed. */
  readonly keepAlive?: boolean;
}

const CONNECTIONS = 128;
const BODY_LIMIT_BYTES = 64 * 1024;
/** A send that could not be finished in this time is not begun. */
const LEAST_TIME_MS = 50;
/** Shorter than servers' own keep-alive, so that we never write into a socket that they just closed. */
const KEEP_ALIVE_MS = 3_000;

/** A connection that takes longer is given up: `close` waits for no black hole. */
const CONNECT_LIMIT_MS = 5_000;

/** Opens a transport to `origin`, for example `https://api.example.com`. */
export function createTransport(origin: string, options: TransportOptions = {}): Transport {
  const openAgent = () =>
    new Agent({
      connections: options.connections ?? CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connectTimeout: CONNECT_LIMIT_MS,
      maxResponseSize: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    });
  if (options.keepAlive === false) return closingTransport(origin, openAgent);
  const agent = openAgent();
  return {
    call: (call) => perform(agent, origin, call),
    close: () => agent.close(),
  };
}

/** One agent a call, destroyed with it: a living one connects again after a call that was given up. */
function closingTransport(origin: string, openAgent: () => Agent): Transport {
  return {
    async call(call) {
      const agent = openAgent();
      try {
        return await perform(agent, origin, call);
      } finally {
        await agent.destroy();
      }
    },
    close: () => Promise.resolve(),
  };
}

async function perform(agent: Agent, origin: string, call: HttpCall): Promise<HttpResult> {
  const left = call.deadline - performance.now();
  if (left < LEAST_TIME_MS) return { kind: 'not_sent', why: 'the permit had run out' };
  const fence = createFence(call.deadline);
  const signal = AbortSignal.timeout(Math.floor(left));
  const dispatcher = agent.compose(fence.interceptor);
  try {
    // undici hears the signal only once it has a connection; one that comes about later meets a shut
    // fence.
    return await Promise.race([
      answerOf(origin + call.path, call, { dispatcher, signal }),
      ended(signal),
    ]);
  } catch (error) {
    return classify(error, fence);
  }
}

/** Rejects when the signal comes. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

interface Within {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function answerOf(url: string, call: HttpCall, within: Within): Promise<HttpResult> {
  const { statusCode, headers, body } = await request(url, {
    ...within,
    method: call.method,
    headers: { accept: 'application/json', ...contentType(call), ...call.headers },
    body: contentOf(call),
    // The signal bounds the whole, pauses included.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    kind: 'answer',
    status: statusCode,
    replayed: headers['idempotent-replayed'] === 'true',
    retryAfterMs: retryAfter(headers['retry-after']),
    json: parseObject(await body.text()),
  };
}

function contentType({ body, form }: HttpCall): Record<string, string> {
  if (form !== undefined) return { 'content-type': 'application/x-www-form-urlencoded' };
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function contentOf({ body, form }: HttpCall): string | null {
  return form ?? (body === undefined ? null : JSON.stringify(body));
}

/** Whole seconds only; a date or anything else is as good as nothing. */
function retryAfter(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    // No JSON: the caller sees an answer without a body that it could believe.
    return undefined;
  }
}

/**
 * What never came through the fence was not sent, whatever ended it; of the rest nothing is known.
 * By property, not by class: errors of Node's core belong to another realm under some runners.
 */
function classify(error: unknown, fence: Fence): HttpResult {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  const isLate = name === 'TimeoutError';
  const cause = typeof code === 'string' ? code : String(name);
  if (fence.shut()) return { kind: 'lost', why: isLate ? 'no answer in time' : cause };
  if (name === 'PermitRanOut') return { kind: 'not_sent', why: 'the permit had run out' };
  return { kind: 'not_sent', why: `no connection ${isLate ? 'in time' : `(${cause})`}` };
}
