/**
 * A server that answers as Stripe documents it, as far as our adapter goes: PaymentIntents and refunds
 * with idempotency keys, lists by time, a Search that lags. It keeps what really happened: the requests
 * that arrived and the effects that they had are the oracle of the tests.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** An answer; `retryAfter` in seconds. */
export interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A PaymentIntent or a refund, as the server shows it. */
export type StripeObject = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
};

export interface StripeLike {
  readonly origin: string;
  readonly port: number;
  /** Every request that arrived whole, in order. */
  readonly arrived: readonly Arrived[];
  readonly intents: StripeObject[];
  readonly refunds: StripeObject[];
  /** Answers the next creations, first in first out; the effect happens unless it says otherwise. */
  program(answer: (arrived: Arrived) => Reply, effect?: 'none' | 'happens'): void;
  /** What it answers to every GET of a path, whatever it knows. */
  readonly answers: Map<string, Reply>;
  /** Paths on which it takes requests and answers none. */
  readonly silent: Set<string>;
  /** While true, Search knows nothing. */
  searchLags: boolean;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startStripeLike(): Promise<StripeLike> {
  const state = new State();
  const server = createServer((request, response) => {
    void receive(request).then((arrived) => {
      const { status, json, headers } = state.answer(arrived);
      if (state.silent.has(arrived.path)) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    }, ignoreHangUp);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
  });
}

/** A client that hangs up in the middle of its request has asked for nothing. */
function ignoreHangUp(): void {
  return undefined;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function receive(request: IncomingMessage): Promise<Arrived> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    form: new URLSearchParams(await text(request)),
    headers: request.headers,
  };
}

class State {
  readonly arrived: Arrived[] = [];
  readonly intents: StripeObject[] = [];
  readonly refunds: StripeObject[] = [];
  readonly answers = new Map<string, Reply>();
  readonly silent = new Set<string>();
  searchLags = false;
  readonly #programme: { answer: (arrived: Arrived) => Reply; effect: 'none' | 'happens' }[] = [];
  readonly #saved = new Map<string, Reply>();

  program(answer: (arrived: Arrived) => Reply, effect: 'none' | 'happens' = 'none'): void {
    this.#programme.push({ answer, effect });
  }

  answer(arrived: Arrived): Reply {
    this.arrived.push(arrived);
    return arrived.method === 'POST' ? this.#post(arrived) : this.#get(arrived);
  }

  /** docs.stripe.com/api/idempotent_requests */
  #post(arrived: Arrived): Reply {
    const key = String(arrived.headers['idempotency-key'] ?? '');
    const saved = this.#saved.get(key);
    if (saved) return { ...saved, headers: { 'idempotent-replayed': 'true' } };
    const next = this.#programme.shift();
    const honest = next?.effect === 'none' ? null : this.#create(arrived);
    const reply = next?.answer(arrived) ?? honest ?? missing();
    const executed = ![400, 401, 403, 409, 429, 502, 503, 504].includes(reply.status);
    if (honest !== null) this.#saved.set(key, honest);
    if (executed) this.#saved.set(key, reply);
    return reply;
  }

  #create({ path, form }: Arrived): Reply {
    if (path === '/v1/payment_intents') return { status: 200, json: this.#charge(form) };
    if (path === '/v1/refunds') return this.#refund(form);
    return missing();
  }

  #charge(form: URLSearchParams): StripeObject {
    const intent = {
      id: `pi_${this.intents.length + 1}`,
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      amount_received: Number(form.get('amount')),
      currency: form.get('currency'),
      status: 'succeeded',
      created: Math.floor(Date.now() / 1000),
      metadata: metadataOf(form),
      last_payment_error: null,
      cancellation_reason: null,
    };
    this.intents.push(intent);
    return intent;
  }

  #refund(form: URLSearchParams): Reply {
    const about = form.get('payment_intent');
    const charge = this.intents.find(({ id }) => id === about);
    if (charge === undefined) return missing();
    const amount = Number(form.get('amount'));
    const left = Number(charge['amount']) - this.#givenBack(charge);
    if (left === 0) return stripeError(400, { ...INVALID, code: 'charge_already_refunded' });
    if (amount > left) return stripeError(400, { ...INVALID, param: 'amount' });
    const refund = {
      id: `re_${this.refunds.length + 1}`,
      object: 'refund',
      amount,
      currency: charge['currency'],
      status: 'succeeded',
      created: Math.floor(Date.now() / 1000),
      metadata: metadataOf(form),
      payment_intent: about,
      failure_reason: null,
    };
    this.refunds.push(refund);
    return { status: 200, json: refund };
  }

  #get({ path, query }: Arrived): Reply {
    const answer = this.answers.get(path);
    if (answer !== undefined) return answer;
    if (path === '/v1/payment_intents') return { status: 200, json: listed(this.intents, query) };
    if (path === '/v1/payment_intents/search') {
      const reference = /^metadata\["resolute_reference"\]:"([^"]+)"$/.exec(
        query.get('query') ?? '',
      );
      const hits = this.intents.filter(
        ({ metadata }) => !this.searchLags && metadata['resolute_reference'] === reference?.[1],
      );
      return { status: 200, json: { object: 'search_result', has_more: false, data: hits } };
    }
    if (path === '/v1/refunds') {
      const about = query.get('payment_intent');
      const of = this.refunds.filter((one) => about === null || one['payment_intent'] === about);
      return { status: 200, json: listed(of, query) };
    }
    const intent = this.intents.find(({ id }) => path === `/v1/payment_intents/${id}`);
    return intent ? { status: 200, json: this.#withCharge(intent) } : missing();
  }

  #withCharge(intent: StripeObject): StripeObject {
    const back = this.#givenBack(intent);
    return { ...intent, latest_charge: { object: 'charge', amount_refunded: back } };
  }

  #givenBack({ id }: StripeObject): number {
    return this.refunds
      .filter((one) => one['payment_intent'] === id)
      .filter((one) => one['status'] !== 'failed' && one['status'] !== 'canceled')
      .reduce((sum, one) => sum + Number(one['amount']), 0);
  }
}

/** Newest first, like Stripe's lists. */
function listed(objects: readonly StripeObject[], query: URLSearchParams) {
  const from = Number(query.get('created[gte]') ?? 0);
  const until = Number(query.get('created[lte]') ?? Infinity);
  const before = Number(query.get('created[lt]') ?? Infinity);
  const newest = objects.filter(
    ({ created }) => created >= from && created <= until && created < before,
  );
  newest.sort((a, b) => b.created - a.created || numberOf(b) - numberOf(a));
  return page(newest, query);
}

function page(newest: readonly StripeObject[], query: URLSearchParams) {
  const after = newest.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const limit = Number(query.get('limit') ?? 10);
  const data = newest.slice(after, after + limit);
  return { object: 'list', has_more: newest.length > after + limit, data };
}

function numberOf({ id }: StripeObject): number {
  return Number(/\d+$/.exec(id)?.[0] ?? 0);
}

function metadataOf(form: URLSearchParams): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

/** An error in Stripe's shape. */
export function stripeError(status: number, error: Readonly<Record<string, unknown>>): Reply {
  return { status, json: { error } };
}

const INVALID = { type: 'invalid_request_error' };

function missing(): Reply {
  return stripeError(404, { ...INVALID, code: 'resource_missing' });
}
