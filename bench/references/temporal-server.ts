/**
 * References: the naive workflow (the key is the workflow id, `result()` is the wait, no table), and
 * the empty workflow. A repeat asks Temporal for the result of the closed run, for as long as it is
 * retained.
 */
import { Client, Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { serve, setting, type ChargeRequest } from './serve';
import { type empty, type naive } from './workflows';

async function main(): Promise<void> {
  const connection = await Connection.connect({ address: setting('TEMPORAL_ADDRESS') });
  const client = new Client({ connection });
  const isEmpty = setting('BENCH_WORKFLOW') === 'empty';
  await serve(isEmpty ? emptyAnswer(client) : naiveAnswer(client));
}

const FOR_ONE_KEY = {
  taskQueue: setting('BENCH_TASK_QUEUE'),
  workflowIdReusePolicy: 'REJECT_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;

function naiveAnswer({ workflow }: Client) {
  return async ({ key, charge, reply }: ChargeRequest): Promise<unknown> => {
    const options = { ...FOR_ONE_KEY, workflowId: key, args: [key, charge] as const };
    try {
      return await reply.code(201).send(await workflow.execute<typeof naive>('naive', options));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return reply.code(201).send(await workflow.getHandle<typeof naive>(key).result());
    }
  };
}

function emptyAnswer({ workflow }: Client) {
  return async ({ key, reply }: ChargeRequest): Promise<unknown> => {
    await workflow.execute<typeof empty>('empty', { ...FOR_ONE_KEY, workflowId: key });
    return reply.code(201).send({});
  };
}

void main();
