/**
 * Stripe's SDK with everything taken out that acts by itself. The SDK encodes, authenticates and pins
 * the API version; the bytes go through our transport: one request, one hard deadline, no retry.
 *
 * The SDK repeats a request once after ECONNRESET or EPIPE even with `maxNetworkRetries: 0`
 * (RequestSender.ts, `_shouldRetry`), possibly after Stripe has executed it. So each call gets an HTTP
 * client that makes one request, shows the SDK no such code, and refuses a second one.
 */
import Stripe from 'stripe';
import { createTransport, type HttpResult, type Transport } from '../transport';

/**
 * Pinned: another version could answer otherwise, or refuse what we ask. It is the version of the schema
 * in the pinned stripe-mock, which so checks every request; both move together, with the mapping.
 */
export const STRIPE_API_VERSION = '2026-08-26.dahlia';

/** Where Stripe is and who we are there. */
export interface StripeAccess {
  readonly apiKey: string;
  /** An origin, for example `https://api.stripe.com`. */
  readonly apiBase: string;
}

/** Asks Stripe. */
export interface StripeClient {
  /** Makes the one request that `call` asks the SDK for, before the monotonic `deadline`. */
  ask(deadline: number, call: (stripe: Stripe) => Promise<unknown>): Promise<HttpResult>;
  close(): Promise<void>;
}

/** A page of 100 objects is about 300 kB. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** Opens a client. No request is made before the first `ask`. */
export function createStripeClient({ apiKey, apiBase }: StripeAccess): StripeClient {
  const bodyLimitBytes = BODY_LIMIT_BYTES;
  const transports: Transports = {
    // A fresh connection for what has an effect: before it exists, no byte can have left, and no
    // request is lost to a kept connection that the other end has just closed.
    POST: createTransport(apiBase, { bodyLimitBytes, keepAlive: false }),
    GET: createTransport(apiBase, { bodyLimitBytes }),
  };
  return {
    async ask(deadline, call) {
      const once = new OneRequest(transports, deadline);
      const stripe = new Stripe(apiKey, {
        apiVersion: STRIPE_API_VERSION,
        httpClient: once,
        maxNetworkRetries: 0,
        telemetry: false,
      });
      return performed(once, call(stripe));
    },
    async close() {
      await Promise.all([transports.POST.close(), transports.GET.close()]);
    },
  };
}

type Transports = Readonly<Record<'GET' | 'POST', Transport>>;

/** What the SDK throws repeats in its words what the result says; without a result it is a bug. */
async function performed(once: OneRequest, call: Promise<unknown>): Promise<HttpResult> {
  try {
    await call;
  } catch (error) {
    if (once.result === null) throw error;
  }
  if (once.result === null) throw new Error('the SDK made no request');
  return once.result;
}

/** One call's HTTP client, in the shape that the SDK asks for. */
class OneRequest implements Stripe.HttpClient {
  result: HttpResult | null = null;
  #begun = false;
  readonly #transports: Transports;
  readonly #deadline: number;

  constructor(transports: Transports, deadline: number) {
    this.#transports = transports;
    this.#deadline = deadline;
  }

  getClientName(): string {
    return 'resolute';
  }

  /** The SDK's parameters, in its order: host and port are those of the transport. */
  async makeRequest(
    ...[, , path, method, headers, content]: Parameters<Stripe.HttpClient['makeRequest']>
  ): Promise<Stripe.HttpClientResponse> {
    if (this.#begun) throw new Error('a second request for one permit was refused');
    this.#begun = true;
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} is not in use`);
    this.result = await this.#transports[method].call({
      method,
      path,
      headers: textHeaders(headers),
      deadline: this.#deadline,
      ...(method === 'POST' && { form: content }),
    });
    if (this.result.kind === 'answer') return responseOf(this.result);
    // Without the code of the socket's error: by it the SDK would decide to send again.
    throw new Error(this.result.why);
  }
}

/** The transport sets the length by itself. */
function textHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function responseOf(answer: Extract<HttpResult, { kind: 'answer' }>): Stripe.HttpClientResponse {
  return {
    getStatusCode: () => answer.status,
    getHeaders: () => ({}),
    getRawResponse: () => ({}),
    toStream: () => {
      throw new Error('streams are not in use');
    },
    // A copy: the SDK writes into what it is given.
    toJSON: () =>
      answer.json === undefined
        ? Promise.reject(new Error('no JSON object'))
        : Promise.resolve(structuredClone(answer.json)),
  };
}
