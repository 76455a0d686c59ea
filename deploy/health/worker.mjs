// `node health/worker.mjs`: exit 0 when the worker of this container asks Temporal for workflow tasks.
// The worker serves no port; what counts is that the server hears from it.
import { hostname } from 'node:os';
import client from '@temporalio/client';
import envconfig from '@temporalio/envconfig';

/** Asking is a long poll of a minute; one that was not renewed for longer is a worker that hangs. */
const SILENCE_MS = 150_000;

const { connectionOptions, namespace = 'default' } = envconfig.loadClientConnectConfig();
const connection = await client.Connection.connect({ ...connectionOptions, connectTimeout: '3s' });
const { pollers } = await connection.withDeadline(Date.now() + 3_000, () =>
  connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: 'intents' },
    taskQueueType: 1, // TASK_QUEUE_TYPE_WORKFLOW
  }),
);
const alive = pollers.some(
  ({ identity, lastAccessTime }) =>
    identity.endsWith(`@${hostname()}`) &&
    Date.now() - Number(lastAccessTime.seconds) * 1_000 < SILENCE_MS,
);
if (!alive) console.error(`No worker of ${hostname()} polls the task queue "intents".`);
process.exit(alive ? 0 : 1);
