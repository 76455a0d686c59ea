/**
 * One long-lived workflow per provider that can list its effects: reads the listings page by page and
 * lets nothing stand that our books do not know. Slow on purpose; the signal asks for a pass now.
 */
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type ProviderActivities } from '../activities';
import { providerTaskQueue } from '../orchestration/task-queues';

/** Between spans: a listing shows what no question of ours is waiting for. */
const PAUSE = '10 minutes';
/** Between the pages of one span. */
const NEXT_PAGE = '5s';

/** After an incident: read the listings now. */
const reconcileNow = defineSignal('reconcileNow');

/** Reconciles for ever. */
export async function reconciler(provider: string): Promise<void> {
  const { reconcile } = proxyActivities<ProviderActivities>({
    taskQueue: providerTaskQueue(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
  });
  let isWanted = false;
  setHandler(reconcileNow, () => {
    isWanted = true;
  });
  while (!workflowInfo().continueAsNewSuggested) {
    isWanted = false;
    const { isMore } = await reconcile({ provider });
    await condition(() => isWanted, isMore ? NEXT_PAGE : PAUSE);
  }
  await continueAsNew<typeof reconciler>(provider);
}
