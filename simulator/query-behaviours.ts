// What each programmed behaviour does to a look-up. Only `lagging` changes anything: it moves the
// time from which an effect is visible. The others bend the answer and leave the truth alone.

import { randomBytes } from 'node:crypto';

import { answered, type Delivery, failure, json, RESET, SILENCE } from './answer';
import { type ProviderContract } from './contract';
import { type Fault, type QueryDo } from './fault';
import { asIndexed, isVisible, type Query, subjectsOf } from './queries';
import { type Effect } from './records';
import { FORBIDDEN, GARBAGE, refused, SERVER_ERROR } from './refusals';
import { TOO_MANY, UNAUTHENTICATED } from './refusals';
import { chargeBody, childBody } from './render';
import { type Simulator } from './simulator';

/** One look-up meeting its fault. */
interface QueryTurn {
  readonly simulator: Simulator;
  readonly contract: ProviderContract;
  readonly query: Query;
  readonly fault: Fault | null;
  readonly receivedAtMs: number;
}

type Body = Readonly<Record<string, unknown>>;

const BEHAVIOURS: Readonly<Record<QueryDo, (turn: QueryTurn) => Delivery>> = {
  ok: tellTheTruth,
  slow: tellTheTruth,
  found: (turn) => bend(turn, (body) => [body]),
  'not-found': (turn) => show(turn, []),
  lagging: lag,
  'wrong-amount': (turn) => bend(turn, (body) => [{ ...body, amount: Number(body['amount']) + 1 }]),
  twice: (turn) => bend(turn, (body) => [body, { ...body, id: otherId(body) }]),
  hang: () => SILENCE,
  timeout: () => SILENCE,
  'timeout-before-effect': () => SILENCE,
  'timeout-after-effect': () => SILENCE,
  'reset-before-effect': () => RESET,
  'reset-after-effect': () => RESET,
  'http-500-no-effect': (turn) => refused(turn.fault, SERVER_ERROR),
  'http-500-after-effect': (turn) => refused(turn.fault, SERVER_ERROR),
  'http-429': (turn) => refused(turn.fault, TOO_MANY),
  'http-401': (turn) => refused(turn.fault, UNAUTHENTICATED),
  'http-403': (turn) => refused(turn.fault, FORBIDDEN),
  garbage: () => answered(GARBAGE),
};

/** Answers a look-up as its fault demands, honestly without one. */
export function answerQuery(turn: QueryTurn): Delivery {
  const name = turn.fault?.do ?? 'ok';
  const status = /^status:(.*)$/.exec(name)?.[1];
  if (status !== undefined) return bend(turn, (body) => [{ ...body, status }]);
  // The programme admits only behaviours of this table, and `status:…`, for look-ups.
  return BEHAVIOURS[name as QueryDo](turn);
}

/** By reference the answer comes from the lagging index, by id from the source itself. */
function tellTheTruth(turn: QueryTurn): Delivery {
  return turn.query.about === 'charge' ? show(turn, subjects(turn)) : showIndexed(turn);
}

/** Empty until `delay_ms` after the first look-up that met this fault; without one, empty once. */
function lag(turn: QueryTurn): Delivery {
  const { fault, simulator } = turn;
  if (fault?.delay_ms === undefined) return show(turn, []);
  const untilMs = turn.receivedAtMs + fault.delay_ms;
  // Each effect is put off once per fault; a standing fault would otherwise hide it for ever.
  const fresh = subjects(turn).filter((effect) => effect.laggedBy !== fault.id);
  simulator.store.commit(
    ...fresh.map((effect) => ({
      type: 'effect-changed' as const,
      id: effect.id,
      change: { visibleAtMs: Math.max(effect.visibleAtMs, untilMs), laggedBy: fault.id },
    })),
  );
  return showIndexed(turn);
}

function showIndexed(turn: QueryTurn): Delivery {
  const nowMs = Date.now();
  const visible = subjects(turn).filter((effect) => isVisible(effect, turn.contract, nowMs));
  return show(
    turn,
    visible.map((effect) => asIndexed(effect, nowMs)),
  );
}

/** Shows what exists, lag ignored, each as `distort` has it; nothing stays nothing. */
function bend(turn: QueryTurn, distort: (body: Body) => Body[]): Delivery {
  return showBodies(turn, subjects(turn).map(bodyOf).flatMap(distort));
}

function show(turn: QueryTurn, effects: readonly Effect[]): Delivery {
  return showBodies(turn, effects.map(bodyOf));
}

function showBodies(turn: QueryTurn, bodies: readonly Body[]): Delivery {
  if (turn.query.about !== 'charge') return answered(json(200, { data: bodies }));
  const first = bodies[0];
  return answered(
    first === undefined
      ? failure(404, 'charge_not_found', 'There is no such charge.')
      : json(200, first),
  );
}

function subjects(turn: QueryTurn): readonly Effect[] {
  return subjectsOf(turn.simulator.store.ledger, turn.contract, turn.query);
}

function bodyOf(effect: Effect): Body {
  return effect.kind === 'refund' ? childBody(effect) : chargeBody(effect);
}

function otherId(body: Body): string {
  const prefix = body['object'] === 'refund' ? 're' : 'ch';
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
