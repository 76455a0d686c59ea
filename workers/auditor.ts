/** Makes the one auditor run; every worker does so, and the first one wins (standing-runs.ts). */
import { type Client } from '@temporalio/client';
import { INTENTS_TASK_QUEUE } from '../orchestration/task-queues';
import { type auditor } from '../workflows';

const AUDITOR_ID = 'resolute.auditor';

/** Starts the auditor unless it runs already. */
export async function ensureAuditor(client: Client): Promise<void> {
  await client.workflow.start<typeof auditor>('auditor', {
    workflowId: AUDITOR_ID,
    taskQueue: INTENTS_TASK_QUEUE,
    args: [],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'Looks after intents that lost their workflow',
  });
}
