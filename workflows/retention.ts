/**
 * The daily purge (docs/retention.md), started by the Schedule `resolute.retention`: one activity, again
 * and again, until nothing is due. Its result says what went; the run's page shows it meanwhile.
 */
import { proxyActivities } from '@temporalio/workflow';
import { type OwnActivities } from '../activities';

/** Each call purges up to 100,000 rows: enough for five million a day. The next day goes on. */
const CALLS = 50;

const { purge } = proxyActivities<OwnActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** What a day's run did. */
export interface RetentionResult {
  /** Intents that became tombstones, by operation. */
  readonly purged: Readonly<Record<string, number>>;
  readonly isDone: boolean;
}

/** Purges until nothing is due, within the bound of a day. */
export async function retention(): Promise<RetentionResult> {
  const purged: Record<string, number> = {};
  for (let call = 1; call <= CALLS; call += 1) {
    const result = await purge();
    for (const [operation, count] of Object.entries(result.purged)) {
      purged[operation] = (purged[operation] ?? 0) + count;
    }
    if (result.isDone) return { purged, isDone: true };
  }
  return { purged, isDone: false };
}
