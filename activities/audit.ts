/**
 * Activity `audit`: finds intents that nobody moves and gives them their workflow again (INV-10), and
 * notifications that nobody heard. Waking is idempotent: an open workflow looks at its journal again, a
 * terminated one is started anew and finds its journal in PostgreSQL, a finished intent is never taken.
 */
import { log } from '@temporalio/activity';
import { wakeSettlement } from '../orchestration/start-settlement';
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
}

/** Makes the activity. */
export function createAudit(deps: Dependencies): () => Promise<AuditResult> {
  return async function audit() {
    const hearing = await hearWaiting(deps);
    const untold = await takeUntold(deps.pool, BATCH);
    const unattended = [...untold, ...(await takeUnattended(deps.pool, BATCH))];
    const starts = await Promise.allSettled(
      unattended.map((intent) => wakeSettlement(deps.client, intent)),
    );
    await markTold(
      deps.pool,
      untold.filter((_one, index) => starts[index]?.status === 'fulfilled'),
    );
    for (const { operation } of unattended) deps.metrics.unattendedTaken.inc({ operation });
    let failed = 0;
    for (const [index, start] of starts.entries()) {
      if (start.status === 'fulfilled') continue;
      failed += 1;
      const intent = unattended[index]?.intentId;
      log.warn('a settlement could not be started', { intent, error: String(start.reason) });
    }
    return { looked: unattended.length, failed, ...hearing };
  };
}
