// The providers' face: four paths with the same routes below, each under its own contract.
// A request is written down on receipt, meets its fault, and only then is anything delivered.

import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { answered, deliver, type Delivery, failure } from './answer';
import { type ProviderContract } from './contract';
import { behave, type Turn } from './create-behaviours';
import { delayOf, type Fault } from './fault';
import { createHttp } from './http';
import { answerListing, isListing } from './listing';
import { type Query } from './queries';
import { answerQuery } from './query-behaviours';
import { type Incoming, type Line, lineOf, malformedLine, queryLine, readCreate } from './receive';
import { type CreateRequest } from './records';
import { Refusal } from './shape';
import { type Simulator } from './simulator';
import { waitUntil } from './wait';
import { type EffectKind } from './words';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Builds the HTTP face of all four providers; the caller makes it listen. */
export function createFace(simulator: Simulator): FastifyInstance {
  const app = createHttp();
  for (const contract of Object.values(simulator.contracts)) {
    const create = (kind: EffectKind): Handler => createHandler(simulator, contract, kind);
    const query = (about: Query['about']): Handler => queryHandler(simulator, contract, about);
    app.post(`${contract.path}/v1/charges`, create('charge'));
    app.post(`${contract.path}/v1/charges/:id/void`, create('void'));
    app.post(`${contract.path}/v1/refunds`, create('refund'));
    if (contract.messages) app.post(`${contract.path}/v1/messages`, create('message'));
    app.get(`${contract.path}/v1/charges`, query('charges'));
    app.get(`${contract.path}/v1/charges/:id`, query('charge'));
    app.get(`${contract.path}/v1/refunds`, query('refunds'));
  }
  return app;
}

function createHandler(
  simulator: Simulator,
  contract: ProviderContract,
  kind: EffectKind,
): Handler {
  return async (http, reply) => {
    const incoming = readIncoming(http, contract);
    const request = readOrRefuse(simulator, kind, incoming);
    if (!('digest' in request)) {
      deliver(reply, request);
      return;
    }
    const fault = meetFault(simulator, lineOf(request, incoming.atMs));
    const turn: Turn = { simulator, request, fault, receivedAtMs: incoming.atMs, effect: null };
    const delivery = await behave(turn);
    await announceBefore(turn);
    // A gateway's 504 leaves at once: the delay is that of the effect behind it.
    const delayMs = fault?.do === 'late-effect' ? 0 : delayOf(fault);
    await waitUntil(incoming.atMs + Math.max(delayMs, simulator.store.settings.latency_ms));
    announceWith(turn);
    deliver(reply, delivery);
  };
}

function queryHandler(
  simulator: Simulator,
  contract: ProviderContract,
  about: Query['about'],
): Handler {
  return async (http, reply) => {
    const incoming = readIncoming(http, contract);
    const search = searchOf(http);
    if (about !== 'charge' && contract.lookUp !== null && isListing(search)) {
      const kind = about === 'charges' ? 'charge' : 'refund';
      const { ledger } = simulator.store;
      const line = queryLine(ledger, { about, name: '' }, incoming);
      const call = { ...line, reference: null, chargeReference: null, behaviour: 'listing' };
      simulator.store.commit({ type: 'call', call });
      deliver(reply, answerListing({ ledger, contract, kind }, search));
      return;
    }
    const query = { about, name: incoming.target ?? '' };
    const line = queryLine(simulator.store.ledger, query, incoming);
    const refusal = queryRefusal(contract, query);
    if (refusal !== null) {
      simulator.store.commit({ type: 'call', call: { ...line, behaviour: refusal.behaviour } });
      deliver(reply, refusal.delivery);
      return;
    }
    const fault = meetFault(simulator, line);
    const turn = { simulator, contract, query, fault, receivedAtMs: incoming.atMs };
    const delivery = answerQuery(turn);
    const delayMs = fault?.do === 'lagging' ? 0 : delayOf(fault);
    await waitUntil(incoming.atMs + Math.max(delayMs, simulator.store.settings.latency_ms));
    deliver(reply, delivery);
  };
}

function readIncoming(http: FastifyRequest, contract: ProviderContract): Incoming {
  const params = http.params as { readonly id?: string };
  const key = http.headers['idempotency-key'];
  return {
    provider: contract.name,
    path: http.url.slice(contract.path.length).replace(/\?.*$/, ''),
    key: typeof key === 'string' && key !== '' ? key : null,
    target: params.id ?? searchOf(http).get('reference'),
    body: http.body,
    atMs: Date.now(),
  };
}

function searchOf(http: FastifyRequest): URLSearchParams {
  return new URL(http.url, 'http://simulator').searchParams;
}

function readOrRefuse(
  simulator: Simulator,
  kind: EffectKind,
  incoming: Incoming,
): CreateRequest | Delivery {
  try {
    return readCreate(simulator.store.ledger, kind, incoming);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const call = { ...malformedLine(kind, incoming), behaviour: 'invalid' };
    simulator.store.commit({ type: 'call', call });
    return answered(failure(400, 'invalid_request', error.message));
  }
}

function queryRefusal(
  contract: ProviderContract,
  query: Query,
): { behaviour: string; delivery: Delivery } | null {
  if (contract.lookUp === null) {
    const answer = failure(404, 'not_found', 'This provider has no such endpoint.');
    return { behaviour: 'not-offered', delivery: answered(answer) };
  }
  if (query.name !== '') return null;
  const answer = failure(400, 'invalid_request', 'Required: the query parameter reference.');
  return { behaviour: 'invalid', delivery: answered(answer) };
}

/** Writes the call down together with the fault it uses up. */
function meetFault(simulator: Simulator, line: Line): Fault | null {
  const { store } = simulator;
  const fault = store.programme.match(line);
  const call = { type: 'call', call: { ...line, behaviour: fault?.do ?? 'honest' } } as const;
  if (fault === null) store.commit(call);
  else store.commit(call, { type: 'fault-used', id: fault.id });
  return fault;
}

async function announceBefore(turn: Turn): Promise<void> {
  const { simulator, effect, fault } = turn;
  if (effect === null) return;
  if (fault?.emit === undefined) simulator.notifier.notifyOfChange(effect);
  if (fault?.emit === 'webhook-before-response') await simulator.notifier.announce(effect);
}

function announceWith(turn: Turn): void {
  if (turn.effect === null || turn.fault?.emit !== 'webhook-with-response') return;
  void turn.simulator.notifier.announce(turn.effect);
}
