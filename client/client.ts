/**
 * The gateway for programs in TypeScript. It sends the same request again for as long as that is
 * useful, and never makes up an idempotency key: a key says what the caller means to be one effect,
 * and must outlive the process that meant it. Uses nothing but `fetch`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { exchange, type Line, type Request } from './exchange';
import { pauseMs, RESENDING, type Resending } from './resend';
import { bodyOf, decidedOf, resultOf } from './result';
import {
  type ClosedOrphan,
  type Decided,
  type Decision,
  type DiscrepancyClosing,
  type EventPage,
  type Explanation,
  type IntentPage,
  type LookUp,
  type OperationName,
  type OrphanClosing,
  type Orphans,
  type ParametersOf,
  type Queue,
  type Result,
} from './types';

/** Where the gateway is, and as whom to speak to it. */
export interface ClientOptions {
  /** `https://payments.example`; a path is kept, a slash at the end is not. */
  readonly baseUrl: string;
  readonly token: string;
  /** For one answer, beside the wait; default 30 s. */
  readonly answerWithinMs?: number;
  readonly resending?: Partial<Resending>;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, not the intent: that goes on. */
  readonly signal?: AbortSignal;
}

/** How to ask for an effect. */
export interface CreateOptions extends CallOptions {
  /** Made by the caller, kept with what it stands for; the same for every try at one effect. */
  readonly idempotencyKey: string;
  /** Seconds to wait for the outcome, 0 to 60; the gateway's own default is 10. */
  readonly wait?: number;
}

/** What intents to list. */
export interface ListOptions extends CallOptions {
  readonly operation?: OperationName;
  readonly status?: Result['status'];
  readonly reference?: string;
  /** Only beside `operation`. */
  readonly idempotencyKey?: string;
  readonly cursor?: string;
  /** 1 to 100. */
  readonly limit?: number;
}

/** What of the queue to read. */
export interface QueueOptions extends CallOptions {
  readonly concern?: Queue['data'][number]['concern'];
  /** 1 to 500; default 100. */
  readonly limit?: number;
}

/** Where to begin in the feed. */
export interface EventOptions extends CallOptions {
  /** `next_cursor` of the last page that was dealt with; without it the feed begins at its beginning. */
  readonly after?: string;
  /** Events a page, 1 to 1000. */
  readonly limit?: number;
}

/** How long to wait for an outcome. */
export interface OutcomeOptions extends CallOptions {
  /** Default 5 minutes. */
  readonly limitMs?: number;
}

const ANSWER_WITHIN_MS = 30_000;
const OUTCOME_LIMIT_MS = 300_000;
const FEED_WAIT_SECONDS = 30;
/** An empty page that came at once is one that nobody held back: do not ask in circles. */
const FEED_PAUSE_MS = 500;

/** Speaks to one gateway with one token, a tenant's or an operator's. All of its methods throw ProblemError and NoAnswerError. */
export class Client {
  readonly #line: Line;

  constructor({ baseUrl, token, answerWithinMs = ANSWER_WITHIN_MS, resending }: ClientOptions) {
    this.#line = {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      token,
      answerWithinMs,
      resending: { ...RESENDING, ...resending },
    };
  }

  /** Asks for an effect, once, however often it has to be sent. */
  async create<Name extends OperationName>(
    operation: Name,
    parameters: ParametersOf<Name>,
    { idempotencyKey, wait, signal }: CreateOptions,
  ): Promise<Result> {
    const answer = await exchange(this.#line, {
      method: 'POST',
      path: `/v1/intents/${operation}`,
      headers: { 'idempotency-key': headerForm(idempotencyKey) },
      body: parameters,
      waitSeconds: wait,
      signal,
    });
    return resultOf(answer);
  }

  /** Reads an intent. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Result> {
    return resultOf(await this.#ask(pathOf(id), signal));
  }

  /** Reads one page of intents, newest first. */
  async list({ signal, idempotencyKey, ...filter }: ListOptions = {}): Promise<IntentPage> {
    const query = queryOf({ ...filter, idempotency_key: idempotencyKey });
    return bodyOf(await this.#ask(`/v1/intents${query}`, signal)) as IntentPage;
  }

  /** Asks for a cancel and waits for what comes of it. Throws ProblemError `too-late`. */
  async cancel(
    id: string,
    { wait, signal }: CallOptions & { wait?: number } = {},
  ): Promise<Result> {
    const path = `${pathOf(id)}/cancel`;
    return resultOf(
      await exchange(this.#line, { method: 'POST', path, waitSeconds: wait, signal }),
    );
  }

  /**
   * Operators: says what became of an intent in doubt. Throws ProblemError `too-late`,
   * `decision-not-legal` and `decision-id-reused`.
   */
  async decide(
    intentId: string,
    decision: Decision,
    { signal }: CallOptions = {},
  ): Promise<Decided> {
    const path = `${pathOf(intentId)}/decisions`;
    return decidedOf(await exchange(this.#line, { method: 'POST', path, body: decision, signal }));
  }

  /** Operators: approves what another one decided. Throws ProblemError as `decide` does. */
  async approve(
    intentId: string,
    decisionId: string,
    { signal }: CallOptions = {},
  ): Promise<Decided> {
    const path = `${pathOf(intentId)}/decisions/${encodeURIComponent(decisionId)}/approve`;
    return decidedOf(await exchange(this.#line, { method: 'POST', path, signal }));
  }

  /** Operators: has the provider asked at once. Throws ProblemError `look-up-not-possible`. */
  async lookUp(intentId: string, { signal }: CallOptions = {}): Promise<LookUp> {
    const path = `${pathOf(intentId)}/look-up`;
    return bodyOf(await exchange(this.#line, { method: 'POST', path, signal })) as LookUp;
  }

  /** Operators: reads what waits for a person, of every tenant, oldest first. */
  async queue({ signal, ...query }: QueueOptions = {}): Promise<Queue> {
    return bodyOf(await this.#ask(`/v1/queue${queryOf(query)}`, signal)) as Queue;
  }

  /**
   * Operators: closes the discrepancy of an ended intent. Throws ProblemError `not-open` and
   * `decision-id-reused`.
   */
  async closeDiscrepancy(
    intentId: string,
    closing: DiscrepancyClosing,
    { signal }: CallOptions = {},
  ): Promise<Decided> {
    const path = `${pathOf(intentId)}/discrepancy/close`;
    return decidedOf(await exchange(this.#line, { method: 'POST', path, body: closing, signal }));
  }

  /** Operators: reads which effects have no intent here. */
  async orphans({ signal }: CallOptions = {}): Promise<Orphans> {
    return bodyOf(await this.#ask('/v1/orphan-effects', signal)) as Orphans;
  }

  /** Operators: closes one of them. Throws ProblemError as `closeDiscrepancy` does. */
  async closeOrphan(body: OrphanClosing, { signal }: CallOptions = {}): Promise<ClosedOrphan> {
    const path = '/v1/orphan-effects/close';
    return bodyOf(
      await exchange(this.#line, { method: 'POST', path, body, signal }),
    ) as ClosedOrphan;
  }

  /** Reads why an intent stands where it stands. */
  async explanation(id: string, { signal }: CallOptions = {}): Promise<Explanation> {
    return bodyOf(await this.#ask(`${pathOf(id)}/explanation`, signal)) as Explanation;
  }

  /**
   * The tenant's changes, page by page, without an end. Keep `next_cursor` of a page when it is dealt
   * with and begin there next time: nothing is missed, and a change may come twice.
   */
  async *events({ after, limit, signal }: EventOptions = {}): AsyncGenerator<EventPage, never> {
    let cursor = after;
    for (;;) {
      const began = performance.now();
      const path = `/v1/events${queryOf({ after: cursor, limit })}`;
      const page = bodyOf(await this.#ask(path, signal, FEED_WAIT_SECONDS)) as EventPage;
      cursor = page.next_cursor;
      if (page.data.length > 0) yield page;
      else if (performance.now() - began < FEED_PAUSE_MS) await sleep(FEED_PAUSE_MS, signal);
    }
  }

  /**
   * The result once the intent has ended or a person must decide, or as it stands when the time is
   * over: an unknown is told, never thrown. Asks when the engine has something new, no oftener.
   */
  async waitForOutcome(
    of: Result | string,
    { limitMs = OUTCOME_LIMIT_MS, signal }: OutcomeOptions = {},
  ): Promise<Result> {
    const end = performance.now() + limitMs;
    let result = typeof of === 'string' ? await this.get(of, signal && { signal }) : of;
    for (let next = 2; 'retryAfterMs' in result && result.status !== 'in_review'; next += 1) {
      const milliseconds = pauseMs(next, result.retryAfterMs, this.#line.resending);
      if (performance.now() + milliseconds > end) return result;
      await sleep(milliseconds, signal);
      result = await this.get(result.intent.id, signal && { signal });
    }
    return result;
  }

  #ask(path: string, signal?: AbortSignal, waitSeconds?: number) {
    const request: Request = { method: 'GET', path, signal, waitSeconds };
    return exchange(this.#line, request);
  }
}

/** Bare where the grammar allows it, else quoted (RFC 8941); both are one key. */
function headerForm(key: string): string {
  if (/^[A-Za-z0-9._~:/+=@-]+$/.test(key)) return key;
  return `"${key.replace(/["\\]/g, '\\$&')}"`;
}

function pathOf(intentId: string): string {
  return `/v1/intents/${encodeURIComponent(intentId)}`;
}

function queryOf(members: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return pause(milliseconds, undefined, signal && { signal });
}
