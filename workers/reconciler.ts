/** Makes a reconciler run for each provider that lists; every worker does so, and the first one wins. */
import { type Client } from '@temporalio/client';
import { INTENTS_TASK_QUEUE } from '../orchestration/task-queues';
import { type Providers } from '../providers/registry';
import { type reconciler } from '../workflows';

const RECONCILER_ID = 'resolute.reconciler';

/** Starts those that do not run already. */
export async function ensureReconcilers(client: Client, providers: Providers): Promise<void> {
  const listing = [...providers.values()].filter((one) => one.listEffects !== undefined);
  await Promise.all(
    listing.map(({ name }) =>
      client.workflow.start<typeof reconciler>('reconciler', {
        workflowId: `${RECONCILER_ID}.${name}`,
        taskQueue: INTENTS_TASK_QUEUE,
        args: [name],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `Joins what ${name} lists with our intents`,
      }),
    ),
  );
}
