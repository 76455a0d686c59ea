/** The Web UI's *Reset*: a run is taken back to one of its workflow tasks and goes on from there. */
import { randomUUID } from 'node:crypto';
import { type Client } from '@temporalio/client';

/** A run to take back. */
export interface RunOf {
  readonly workflowId: string;
  readonly runId: string;
}

/** The latest run under an id. */
export async function latestRun(client: Client, workflowId: string): Promise<RunOf> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  return { workflowId, runId };
}

/** The event ids of the workflow tasks that a run has completed. */
export async function completedTasks(
  client: Client,
  { workflowId, runId }: RunOf,
): Promise<readonly number[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return (events ?? []).flatMap(({ eventId, workflowTaskCompletedEventAttributes: completed }) =>
    completed ? [Number(eventId)] : [],
  );
}

/** Resets it to the workflow task that ended with `eventId`; updates and signals are applied again. */
export async function resetRun(client: Client, run: RunOf, eventId: number): Promise<void> {
  const { workflowService, options } = client;
  await workflowService.resetWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: run,
    workflowTaskFinishEventId: eventId as unknown as Long,
    reason: 'test',
    requestId: randomUUID(),
  });
}
