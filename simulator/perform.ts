// Executes a request behind its provider's key layer and commits effect and saved answer together,
// so that one key can never have two effects inside its window.

import { type Answer, failure, withHeader } from './answer';
import { execute, type ExecutedStatus } from './execute';
import { keyAddress } from './key-memory';
import { type CreateRequest, type Effect, type JournalRecord, type Landing } from './records';
import { type Simulator } from './simulator';

/** A request and how it should turn out. */
interface Order {
  readonly request: CreateRequest;
  readonly status: ExecutedStatus;
  /** Null: the lag of the provider's contract. */
  readonly visibleAfterMs: number | null;
  /** The landing that this order completes, if it does. */
  readonly landing: Landing | null;
}

/** `effect` is set only if this very call changed something. */
export interface Performance {
  readonly answer: Answer;
  readonly effect: Effect | null;
}

export const KEY_IN_USE = failure(
  409,
  'idempotency_key_in_use',
  'A request with this key is still running.',
);

/** Performs an order now. */
export function perform(simulator: Simulator, order: Order): Performance {
  const { store } = simulator;
  const { request, landing } = order;
  const landed: JournalRecord[] = landing === null ? [] : [{ type: 'landed', id: landing.id }];
  const known = answerUnderKey(simulator, request, landing);
  if (known !== null) {
    store.commit(...landed);
    return { answer: known, effect: null };
  }
  const { answer, effect, records } = execute(store.ledger, request, {
    status: order.status,
    nowMs: Date.now(),
    visibleAfterMs: order.visibleAfterMs ?? defaultLagMs(simulator, request),
  });
  // Successes, pendings and declines are saved; refusals are not, so that they may be corrected.
  const saved = effect === null ? [] : savedAnswer(simulator, request, answer);
  store.commit(...landed, ...records, ...saved);
  return { answer, effect };
}

/** Freezes an error under the request's key, as Stripe does with a 500; no effect. */
export function storeError(simulator: Simulator, request: CreateRequest, error: Answer): Answer {
  const known = answerUnderKey(simulator, request, null);
  if (known !== null) return known;
  simulator.store.commit(...savedAnswer(simulator, request, error));
  return error;
}

/**
 * Answers with the error stored under the key, marked as replayed. With none stored, `error` stands
 * for it and is frozen, except over a saved success: that one the provider still knows.
 */
export function replayError(simulator: Simulator, request: CreateRequest, error: Answer): Answer {
  const { store, contracts } = simulator;
  const saved = store.keys.find(contracts[request.provider], request, Date.now());
  if (saved === null) store.commit(...savedAnswer(simulator, request, error));
  const stored = saved !== null && saved.answer.status >= 500 ? saved.answer : error;
  return withHeader(stored, 'Idempotent-Replayed', 'true');
}

/** What the key layer answers before the request gets any further, or null to go on. */
export function answerUnderKey(
  simulator: Simulator,
  request: CreateRequest,
  landing: Landing | null,
): Answer | null {
  const { store, contracts } = simulator;
  const contract = contracts[request.provider];
  if (!store.keys.honours(contract, request)) return null;
  if (store.landings.holdsKey(request, landing)) return KEY_IN_USE;
  const saved = store.keys.find(contract, request, Date.now());
  if (saved === null) return null;
  return saved.digest === request.digest
    ? withHeader(saved.answer, 'Idempotent-Replayed', 'true')
    : failure(409, 'idempotency_key_reused', 'This key was used with another body.');
}

function savedAnswer(
  simulator: Simulator,
  request: CreateRequest,
  answer: Answer,
): JournalRecord[] {
  const address = keyAddress(request);
  const contract = simulator.contracts[request.provider];
  if (address === null || !simulator.store.keys.honours(contract, request)) return [];
  const { provider, digest } = request;
  return [{ type: 'answer-saved', address, provider, digest, answer, atMs: Date.now() }];
}

/** A void is shown at once unless programmed otherwise; the lag is about things newly created. */
function defaultLagMs(simulator: Simulator, request: CreateRequest): number {
  return request.kind === 'void' ? 0 : (simulator.contracts[request.provider].lookUp?.lagMs ?? 0);
}
