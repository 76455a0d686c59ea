/**
 * The workers of one process: one for the workflows and our own activities, one per provider for its
 * activities. They share a connection and stop together, after the sends that are in flight.
 */
import { type Tracer } from '@opentelemetry/api';
import { type InjectedSinks, type NativeConnection, Worker } from '@temporalio/worker';
import { type Dependencies } from '../activities/dependencies';
import { ownActivities, providerActivities } from '../activities';
import { LONGEST_BUDGET_MS } from '../domain/contract';
import { nameIntentOf, traceActivity, traceWorkflow } from '../telemetry/watch-activities';
import { INTENTS_TASK_QUEUE, providerTaskQueue } from '../orchestration/task-queues';
import { type TraceSinks } from '../workflows/carry-trace';
import { noticeMissing } from './missing-intents';

/** How workers reach Temporal and which workflows they run. */
export interface WorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly bundlePath: string;
  readonly dependencies: Dependencies;
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
}

/** Longer than any provider's send budget, so that a stop never cuts a send off. */
const GRACE_MS = LONGEST_BUDGET_MS + 1_000;
const FORCE = '20s';

/** Creates (does not run) the workers. */
export async function createWorkers(options: WorkerOptions): Promise<readonly Worker[]> {
  const { connection, namespace, bundlePath, dependencies, tracer } = options;
  const named = [nameIntentOf, noticeMissing(dependencies.metrics)];
  const activity = tracer === undefined ? named : [traceActivity, ...named];
  const shared = {
    connection,
    namespace,
    interceptors: { activity },
    shutdownGraceTime: GRACE_MS,
    shutdownForceTime: FORCE,
  };
  const sinks: InjectedSinks<TraceSinks> = { traces: { ended: { fn: traceWorkflow(tracer) } } };
  const intents = Worker.create({
    ...shared,
    taskQueue: INTENTS_TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities: ownActivities(dependencies),
    sinks,
    maxConcurrentWorkflowTaskExecutions: 200,
    stickyQueueScheduleToStartTimeout: '1s',
    reuseV8Context: true,
  });
  const providers = [...dependencies.providers.keys()].map((provider) =>
    Worker.create({
      ...shared,
      taskQueue: providerTaskQueue(provider),
      activities: providerActivities(dependencies),
      maxConcurrentActivityTaskExecutions: 100,
      // The server must see each heartbeat: the default throttle would outlast the time-out.
      maxHeartbeatThrottleInterval: '1s',
    }),
  );
  return Promise.all([intents, ...providers]);
}

/** Runs all until one fails or all were told to stop; one that fails stops the others. */
export async function runWorkers(workers: readonly Worker[]): Promise<void> {
  const runs = workers.map((worker) => worker.run());
  try {
    await Promise.all(runs);
  } catch (error) {
    shutdown(workers);
    await Promise.allSettled(runs);
    throw error;
  }
}

/** Tells every running worker to finish what it has and take nothing new. */
function shutdown(workers: readonly Worker[]): void {
  for (const worker of workers) {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  }
}
