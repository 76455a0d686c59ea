/**
 * The gateway's line to Temporal: opened on first use, so that the gateway starts, serves and records
 * while Temporal is down.
 */
import { Client, Connection } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import { temporal } from '@temporalio/proto';
import { INTENTS_TASK_QUEUE } from '../orchestration/task-queues';
import { type Surroundings } from './desk/layout';

/** The client and what else the gateway needs of the connection. */
export interface TemporalLink {
  readonly client: Client;
  /** Whether Temporal answers within a second. Never rejects. */
  isReachable(): Promise<boolean>;
  /** Whether Temporal answers, and whether a worker asked it for work lately. Never rejects. */
  surroundings(): Promise<Surroundings>;
  close(): Promise<void>;
}

const PROBE_DEADLINE_MS = 1_000;

const { TASK_QUEUE_TYPE_WORKFLOW } = temporal.api.enums.v1.TaskQueueType;
/** A worker asks again after at most a minute; a dead one stays listed for five. */
const POLLER_IS_GONE_MS = 75_000;

/**
 * Opens nothing yet. The address comes from the Temporal SDK's own environment configuration. A traced
 * gateway hands its trace on in the header of each start.
 */
export function linkTemporal(isTraced: boolean): TemporalLink {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = Connection.lazy(connectionOptions);
  const workflow = isTraced ? [new OpenTelemetryWorkflowClientInterceptor()] : [];
  const isReachable = () => answers(connection);
  return {
    client: new Client({ connection, namespace, interceptors: { workflow } }),
    isReachable,
    async surroundings() {
      const [reachable, worker] = await Promise.all([
        isReachable(),
        hasWorker(connection, namespace),
      ]);
      return { temporal: reachable, worker };
    },
    close: () => connection.close(),
  };
}

async function answers(connection: Connection): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + PROBE_DEADLINE_MS, () =>
      connection.workflowService.getSystemInfo({}),
    );
    return true;
  } catch {
    // Whatever went wrong, the answer to the question is no.
    return false;
  }
}

/** Whether a worker asked for workflow tasks lately; null where Temporal cannot say. */
async function hasWorker(connection: Connection, namespace: string): Promise<boolean | null> {
  try {
    const { pollers } = await connection.withDeadline(Date.now() + PROBE_DEADLINE_MS, () =>
      connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: INTENTS_TASK_QUEUE },
        taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
      }),
    );
    const fresh = Date.now() - POLLER_IS_GONE_MS;
    return pollers.some(({ lastAccessTime }) => (optionalTsToMs(lastAccessTime) ?? 0) > fresh);
  } catch {
    // Whatever went wrong, nothing is known.
    return null;
  }
}
