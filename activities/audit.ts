/**
 * Activity `audit`: finds intents that nobody moves and gives them their workflow again (INV-10), and
 * notifications that nobody heard. Waking is idempotent: an open workflow looks at its journal again, a
 * terminated one is started anew and finds its journal in PostgreSQL, a finished intent is never taken.
 */
import { log } from '@temporalio/activity';
import { wakeSettlement } from '../orchestration/start-settlement';
import { markHeldBack } from '../store/held-back';
import { type Waking } from '../store/settle-start';
import { takeUnattended } from '../store/unattended';
import { markTold, takeUntold } from '../store/untold';
import { type Dependencies } from './dependencies';
import { type Hearing, hearWaiting } from './hear-waiting';

/** A pass takes this many; the rest wait for the next one, a few seconds later. */
const BATCH = 100;

/** What a pass did. */
export interface AuditResult extends Hearing {
  readonly looked: number;
  /** Could not be started; taken again by a later pass. */
  readonly failed: number;
  /** Not final, and not to be started: a person must look. */
  readonly heldBack: number;
}

/** Makes the activity. */
export function createAudit(deps: Dependencies): () => Promise<AuditResult> {
  return async function audit() {
    const hearing = await hearWaiting(deps);
    const untold = await takeUntold(deps.pool, BATCH);
    const ended = await wakeAll(deps, untold);
    const told = new Set([...ended.woken, ...ended.completed]);
    await markTold(
      deps.pool,
      untold.filter(({ intentId }) => told.has(intentId)),
    );
    const unattended = await takeUnattended(deps.pool, BATCH);
    const overdue = await wakeAll(deps, unattended);
    const heldBack = await noteHeldBack(deps, overdue);
    const failed = overdue.failed + ended.failed;
    return { looked: unattended.length + untold.length, failed, heldBack, ...hearing };
  };
}

interface WakeUps {
  /** Their runs look again. */
  readonly woken: readonly string[];
  /** Temporal holds a completed run under their id. */
  readonly completed: readonly string[];
  readonly failed: number;
}

async function wakeAll(
  { client, metrics }: Dependencies,
  intents: readonly Waking[],
): Promise<WakeUps> {
  const starts = await Promise.allSettled(intents.map((one) => wakeSettlement(client, one)));
  for (const { operation } of intents) metrics.unattendedTaken.inc({ operation });
  const all = { woken: [] as string[], completed: [] as string[], failed: 0 };
  for (const [index, start] of starts.entries()) {
    const intent = intents[index]?.intentId ?? '';
    if (start.status === 'fulfilled') all[start.value].push(intent);
    else {
      all.failed += 1;
      log.warn('a settlement could not be started', { intent, error: String(start.reason) });
    }
  }
  return all;
}

/**
 * An intent that has not ended while its run has completed: PostgreSQL was put back to an earlier time.
 * Nothing is started by force: what the forgotten run did is not known here, and a person must say so.
 */
async function noteHeldBack({ pool }: Dependencies, wakeUps: WakeUps): Promise<number> {
  for (const intent of await markHeldBack(pool, wakeUps)) {
    log.error('an intent is held back: a run of its id has completed', { intent });
  }
  return wakeUps.completed.length;
}
