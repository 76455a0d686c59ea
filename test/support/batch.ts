/** Batch operations through the server's API, as the Web UI starts them. */
import { randomUUID } from 'node:crypto';
import { type Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { until } from './until';

type Request = temporal.api.workflowservice.v1.IStartBatchOperationRequest;

const { BATCH_OPERATION_STATE_COMPLETED: COMPLETED } = temporal.api.enums.v1.BatchOperationState;

/** Starts one over all workflows that the query finds, and returns how many it was done to. */
export async function batch(
  { workflowService, options: { namespace } }: Client,
  visibilityQuery: string,
  operation: Partial<Request>,
): Promise<number> {
  const jobId = randomUUID();
  const request = { namespace, jobId, visibilityQuery, reason: 'test', ...operation };
  await workflowService.startBatchOperation(request);
  const ended = await until(
    'the batch is through',
    async () => {
      const seen = await workflowService.describeBatchOperation({ namespace, jobId });
      return seen.state === COMPLETED ? seen : undefined;
    },
    60_000,
  );
  return Number(ended.completeOperationCount);
}
