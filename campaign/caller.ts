/**
 * A caller that means it: the same key again until the gateway tells where the intent stands, whatever
 * the network and the processes do. It never takes a new key.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, type Caller } from './ask';
import { type Refusal } from './facts';

/** What is asked for, under a key. */
export interface Wish {
  readonly key: string;
  readonly operation: 'payment.charge' | 'payment.refund' | 'message.send';
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the caller knows in the end; `intent` is null if nothing was ever told. */
export interface CallerStory {
  readonly key: string;
  readonly intent: string | null;
  /** The last status that was told. */
  readonly status: string | null;
  /** Why nothing was recorded. */
  readonly refused: Refusal | null;
  readonly requests: number;
  /** Answers of 500 and up that were no 503: each is a fault of ours. */
  readonly crashes: readonly string[];
}

const ENDS: ReadonlySet<number> = new Set([201, 402, 409, 422]);
/** Longer than every outage of a campaign. */
const GIVE_UP_MS = 180_000;

/** Asks until the outcome, the review or the refusal is told. */
export async function insist(caller: Caller, wish: Wish): Promise<CallerStory> {
  const { key } = wish;
  const crashes: string[] = [];
  let known = { intent: null as string | null, status: null as string | null };
  const end = Date.now() + GIVE_UP_MS;
  for (let requests = 1; ; requests += 1) {
    const answer = await post(caller, wish);
    const refused = answer === null ? null : refusalOf(answer);
    if (answer !== null && refused === null) {
      known = { intent: answer.intent ?? known.intent, status: answer.status ?? known.status };
      if (answer.code >= 500 && answer.code !== 503) crashes.push(`${key}: ${answer.code}`);
    }
    if (refused !== null || Date.now() > end || (answer !== null && isEnd(answer))) {
      return { key, ...known, refused, requests, crashes };
    }
    await pause(answer === null ? 250 : answer.code >= 500 ? 500 : 100);
  }
}

function isEnd({ code, status }: Answer): boolean {
  return ENDS.has(code) || status === 'in_review';
}

function refusalOf({ code, said }: Answer): Refusal | null {
  if (code !== 409 || typeof said['type'] !== 'string') return null;
  const name = said['type'].split('/').at(-1);
  return name === 'refund-exceeds-charge' || name === 'charge-not-refundable' ? name : null;
}

function post(caller: Caller, { key, operation, body }: Wish): Promise<Answer | null> {
  return ask(`/v1/intents/${operation}`, caller, {
    method: 'POST',
    headers: { 'idempotency-key': key, 'content-type': 'application/json', prefer: 'wait=5' },
    body: JSON.stringify(body),
  });
}

/**
 * Asks for a cancel until the gateway has heard it. The caller knows its key and finds the intent by it,
 * since the answer that named the intent may have been lost. Nothing is canceled that never arrived.
 */
export async function cancel(
  caller: Caller,
  { key, operation }: Pick<Wish, 'key' | 'operation'>,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  while (Date.now() < end && !signal.aborted) {
    const id = await find(caller, key, operation);
    const answer = id === null ? null : await ask(`${id}/cancel`, caller, { method: 'POST' });
    if (answer !== null && answer.code < 500) return;
    await pause(250);
  }
}

/** The intent's path, or null while it is not known. */
async function find(
  caller: Caller,
  key: string,
  operation: Wish['operation'],
): Promise<string | null> {
  const query = new URLSearchParams({ idempotency_key: key, operation });
  const answer = await ask(`/v1/intents?${query.toString()}`, caller, { method: 'GET' });
  const [first] = (answer?.said['data'] ?? []) as readonly Record<string, unknown>[];
  return typeof first?.['id'] === 'string' ? `/v1/intents/${first['id']}` : null;
}
