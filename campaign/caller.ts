/**
 * A caller that means it: the same key again until the gateway tells where the intent stands, whatever
 * the network and the processes do. It never takes a new key.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { type PlannedIntent } from './plan';

/** Where and as whom it calls. The address is asked for anew: a restarted gateway keeps it. */
export interface Caller {
  readonly api: string;
  readonly token: string;
}

/** What the caller knows in the end; `intent` is null if nothing was ever told. */
export interface CallerStory {
  readonly key: string;
  readonly intent: string | null;
  readonly requests: number;
  /** Answers of 500 and up that were no 503: each is a fault of ours. */
  readonly crashes: readonly string[];
}

const ENDS: ReadonlySet<number> = new Set([201, 402, 409, 422]);
/** Longer than every outage of a campaign. */
const GIVE_UP_MS = 180_000;

/** Sends the charge until its outcome, or its review, is told. */
export async function insist(caller: Caller, plan: PlannedIntent): Promise<CallerStory> {
  const story = {
    key: plan.key,
    intent: null as string | null,
    requests: 0,
    crashes: [] as string[],
  };
  const end = Date.now() + GIVE_UP_MS;
  while (Date.now() < end) {
    story.requests += 1;
    const answer = await post(caller, plan);
    if (answer === null) {
      await pause(250);
      continue;
    }
    story.intent = answer.intent ?? story.intent;
    if (answer.code >= 500 && answer.code !== 503)
      story.crashes.push(`${plan.key}: ${answer.code}`);
    if (ENDS.has(answer.code) || answer.status === 'in_review') return story;
    await pause(answer.code >= 500 ? 500 : 100);
  }
  return story;
}

/**
 * Asks for a cancel until the gateway has heard it. The caller knows its key and finds the intent by it,
 * since the answer that named the intent may have been lost. Nothing is canceled that never arrived.
 */
export async function cancel(caller: Caller, key: string): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  while (Date.now() < end) {
    const id = await find(caller, key);
    const answer = id === null ? null : await ask(`${id}/cancel`, caller, { method: 'POST' });
    if (answer !== null && answer.code < 500) return;
    await pause(250);
  }
}

/** The intent's path, or null while it is not known. */
async function find(caller: Caller, key: string): Promise<string | null> {
  const query = new URLSearchParams({ idempotency_key: key, operation: 'payment.charge' });
  const answer = await ask(`/v1/intents?${query.toString()}`, caller, { method: 'GET' });
  const [first] = (answer?.said['data'] ?? []) as readonly Record<string, unknown>[];
  return typeof first?.['id'] === 'string' ? `/v1/intents/${first['id']}` : null;
}

interface Answer {
  readonly code: number;
  readonly said: Readonly<Record<string, unknown>>;
  readonly intent: string | null;
  readonly status: string | null;
}

function post(caller: Caller, plan: PlannedIntent): Promise<Answer | null> {
  const { amount, source, reference, provider } = plan;
  return ask('/v1/intents/payment.charge', caller, {
    method: 'POST',
    headers: { 'idempotency-key': plan.key, 'content-type': 'application/json', prefer: 'wait=5' },
    body: JSON.stringify({ amount, currency: 'EUR', source, reference, provider }),
  });
}

interface Asking {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Null where no whole answer came: the caller then knows nothing, and asks again. */
async function ask(path: string, { api, token }: Caller, asking: Asking): Promise<Answer | null> {
  try {
    const { statusCode, body } = await request(`${api}${path}`, {
      ...asking,
      headers: { authorization: `Bearer ${token}`, ...asking.headers },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    const said = (await body.json()) as Record<string, unknown>;
    const about = (said['intent'] ?? said) as Record<string, unknown>;
    return { code: statusCode, said, intent: text(about['id']), status: text(about['status']) };
  } catch {
    // Refused, reset or silent: what an outage looks like from outside.
    return null;
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
