/**
 * Activity `purge`: makes tombstones of what is past its operation's retention, in small batches, each
 * a transaction of its own. It may die anywhere: what is committed is done, the rest is found again.
 */
import { heartbeat, sleep } from '@temporalio/activity';
import { type Operation } from '../operations/operation';
import { purgeExpired } from '../store/purge';
import { type Dependencies } from './dependencies';

/** Locked together: so long waits late evidence for one of them (docs/retention.md has the times). */
const BATCH = 200;
/** After this many batches the activity ends, and the workflow calls it again. */
const BATCHES = 500;

/** What one call did. */
export interface PurgeResult {
  /** Intents by operation. */
  readonly purged: Readonly<Record<string, number>>;
  /** Nothing is left that is due. */
  readonly isDone: boolean;
}

/** Makes the activity. */
export function createPurge(deps: Dependencies): () => Promise<PurgeResult> {
  return async function purge() {
    const purged: Record<string, number> = {};
    let batches = 0;
    for (const operation of deps.operations.values()) {
      purged[operation.name] = 0;
      for (let isLast = false; !isLast; batches += 1) {
        if (batches === BATCHES) return { purged, isDone: false };
        const batch = await purgeGently(deps, operation);
        purged[operation.name] = (purged[operation.name] ?? 0) + batch;
        heartbeat(purged);
        isLast = batch < BATCH;
      }
    }
    return { purged, isDone: true };
  };
}

/** One batch, and then as long a pause as it took: the job never has more than half of a connection. */
async function purgeGently(
  { pool }: Dependencies,
  { name, retentionDays }: Operation,
): Promise<number> {
  const begin = performance.now();
  const batch = await purgeExpired(pool, { operation: name, days: retentionDays, most: BATCH });
  await sleep(performance.now() - begin);
  return batch;
}
