// What each programmed behaviour does to a charge, refund or void, as one table: first what becomes
// of the effect, then what the client gets. The order inside a line is the order in time.

import { type Answer, answered, type Delivery, failure, RESET, SILENCE } from './answer';
import { type ExecutedStatus } from './execute';
import { type CreateDo, delayOf, type Fault } from './fault';
import { land, landUnattended, schedule } from './land';
import { answerUnderKey, KEY_IN_USE, perform, replayError, storeError } from './perform';
import { type CreateRequest, type Effect, type Landing } from './records';
import {
  GARBAGE,
  GATEWAY_TIMEOUT,
  refused,
  SERVER_ERROR,
  TOO_MANY,
  UNAUTHENTICATED,
} from './refusals';
import { type Simulator } from './simulator';

/** One call meeting its fault. `effect` is what the call itself has brought about, if anything. */
export interface Turn {
  readonly simulator: Simulator;
  readonly request: CreateRequest;
  readonly fault: Fault | null;
  readonly receivedAtMs: number;
  effect: Effect | null;
}

type Behaviour = (turn: Turn) => Delivery | Promise<Delivery>;

const BEHAVIOURS: Readonly<Record<CreateDo, Behaviour>> = {
  ok: (turn) => answered(executeAs(turn, 'succeeded')),
  decline: (turn) => answered(executeAs(turn, 'declined')),
  pending: (turn) => answered(executeAs(turn, 'pending')),
  'requires-action': (turn) => answered(executeAs(turn, 'requires_action')),
  slow: executeSlowly,
  'late-effect': executeAfterTheAnswer,
  hang: () => SILENCE,
  'timeout-before-effect': () => SILENCE,
  'timeout-after-effect': (turn) => executed(turn, SILENCE),
  'reset-before-effect': () => RESET,
  'reset-after-effect': (turn) => executed(turn, RESET),
  'http-500-no-effect': (turn) => refused(turn.fault, SERVER_ERROR),
  'http-500-after-effect': (turn) => executed(turn, refused(turn.fault, SERVER_ERROR)),
  'http-500-stored': (turn) =>
    refused(turn.fault, storeError(turn.simulator, turn.request, SERVER_ERROR)),
  'replay-stored-error': (turn) =>
    refused(turn.fault, replayError(turn.simulator, turn.request, SERVER_ERROR)),
  'http-409-key-in-use': (turn) => refused(turn.fault, KEY_IN_USE),
  'http-429': (turn) => refused(turn.fault, TOO_MANY),
  'http-401': (turn) => refused(turn.fault, UNAUTHENTICATED),
  'http-400-already-succeeded': (turn) => refused(turn.fault, alreadyDone('already_succeeded')),
  'http-400-already-captured': (turn) => refused(turn.fault, alreadyDone('already_captured')),
  garbage: (turn) => executed(turn, answered(GARBAGE)),
  'forget-keys': forgetKeys,
};

/** Does what the fault demands, or what an honest provider does, and says what to deliver. */
export async function behave(turn: Turn): Promise<Delivery> {
  // The programme admits only behaviours of this table for calls that move money.
  const name = (turn.fault?.do ?? 'ok') as CreateDo;
  return BEHAVIOURS[name](turn);
}

function executeAs(turn: Turn, status: ExecutedStatus): Answer {
  const visibleAfterMs = turn.fault?.visible_after_ms ?? null;
  const order = { request: turn.request, status, visibleAfterMs, landing: null };
  const { answer, effect } = perform(turn.simulator, order);
  turn.effect = effect;
  return answer;
}

/** The effect happens, but its answer is lost and `instead` is what the client gets. */
function executed(turn: Turn, instead: Delivery): Delivery {
  executeAs(turn, 'succeeded');
  return instead;
}

/** The effect is at the end of the delay; until then the key, if honoured, is in use. */
async function executeSlowly(turn: Turn): Promise<Delivery> {
  const known = answerUnderKey(turn.simulator, turn.request, null);
  if (known !== null) return answered(known);
  const done = await land(turn.simulator, scheduled(turn, { holdsKey: true }));
  turn.effect = done?.effect ?? null;
  // Null: a reset of the ledger has overtaken the call, so there is nothing to report.
  return done === null ? RESET : answered(done.answer);
}

/** A gateway gives up although the request is still on its way: it lands as if sent then. */
function executeAfterTheAnswer(turn: Turn): Delivery {
  void landUnattended(turn.simulator, scheduled(turn, { holdsKey: false }));
  return refused(turn.fault, GATEWAY_TIMEOUT);
}

function scheduled(turn: Turn, key: Pick<Landing, 'holdsKey'>): Landing {
  return schedule(turn.simulator, {
    dueAtMs: turn.receivedAtMs + delayOf(turn.fault),
    request: turn.request,
    visibleAfterMs: turn.fault?.visible_after_ms ?? null,
    announce: turn.fault?.emit !== undefined,
    ...key,
  });
}

/** From this call on the provider takes every repeated key for a new one. */
function forgetKeys(turn: Turn): Delivery {
  turn.simulator.store.commit({ type: 'keys-forgotten', provider: turn.request.provider });
  return answered(executeAs(turn, 'succeeded'));
}

function alreadyDone(code: string): Answer {
  return failure(400, code, 'This has been done already.');
}
