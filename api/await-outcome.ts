/**
 * From a recorded intent to its state when the caller's wait is over. A new intent gets its workflow;
 * a repeat never touches Temporal. The row is read once more at the end, and that is the answer. The
 * identity is claimed by then, so nothing here may refuse: where the row cannot be read any more, what
 * is known of it is the answer.
 *
 * Race: the outcome commits while we begin to wait. Whoever waits is registered before the state that
 * decides is read: a new intent cannot end before its workflow is started below, and a repeat reads
 * its row again after registering. So the notice finds the waiter, or the read finds the outcome.
 */
import { type ServerResponse } from 'node:http';
import { endsTheWait, isFinal } from '../domain/status';
import { type IntentRow } from '../store/intent-row';
import { isStoreUnavailable } from '../store/pool';
import { readIntent } from '../store/read-intents';
import { type Gateway } from './gateway';

/** How long to wait, and whose leaving ends the wait. */
export interface Patience {
  readonly milliseconds: number;
  readonly connection: Pick<ServerResponse, 'once' | 'off' | 'destroyed'>;
}

interface Found {
  readonly kind: 'new' | 'existing';
  readonly intent: IntentRow;
}

const NOT_STARTED =
  'Recorded; the engine that sends it cannot be reached at the moment and will start when it is back.';

const NOT_READ =
  'Recorded; its present state cannot be read at the moment. Ask again, or repeat with the same key.';

/** The intent after the wait. */
export async function awaitOutcome(
  gateway: Gateway,
  { kind, intent }: Found,
  { milliseconds, connection }: Patience,
): Promise<IntentRow> {
  if (endsTheWait(intent.status) || (kind === 'existing' && milliseconds <= 0)) return intent;
  const waiting = gateway.waiters.begin(intent.id, milliseconds);
  connection.once('close', waiting.end);
  if (connection.destroyed) waiting.end();
  try {
    if (kind === 'existing') {
      const present = await readAgain(gateway, intent);
      if (endsTheWait(present.status)) return present;
      await waiting.ended;
      return await readAgain(gateway, intent);
    }
    const started = await gateway.startWorkflow(intent);
    await waiting.ended;
    const present = milliseconds > 0 ? await readAgain(gateway, intent) : intent;
    return started || present.status !== 'accepted' ? present : { ...present, reason: NOT_STARTED };
  } finally {
    connection.off('close', waiting.end);
    waiting.end();
  }
}

/**
 * The intent after a cancel was recorded: its workflow is woken, and the wait is for its end, or for
 * coming in front of a person.
 */
export async function awaitCancel(
  gateway: Gateway,
  intent: IntentRow,
  { milliseconds, connection }: Patience,
): Promise<IntentRow> {
  if (isFinal(intent.status)) return intent;
  const waiting = gateway.waiters.begin(intent.id, milliseconds);
  connection.once('close', waiting.end);
  if (connection.destroyed) waiting.end();
  try {
    await gateway.wakeWorkflow(intent);
    const present = await readAgain(gateway, intent);
    if (isFinal(present.status)) return present;
    await waiting.ended;
    return await readAgain(gateway, intent);
  } finally {
    connection.off('close', waiting.end);
    waiting.end();
  }
}

async function readAgain(gateway: Gateway, known: IntentRow): Promise<IntentRow> {
  try {
    const intent = await readIntent(gateway.db, known.id, { tenant: known.tenant });
    if (intent === null) throw new Error('a recorded intent is gone');
    return intent;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return { ...known, reason: NOT_READ };
  }
}
