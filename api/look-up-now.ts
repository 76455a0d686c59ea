/**
 * "Ask the provider now", by an operator: the one thing here that needs a running worker. It changes no
 * evidence, so there is nothing to record first; unanswered, it may be asked again.
 */
import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/**
 * - `asking`: the run asks
 * - `refused`: it has nothing to ask, `why` in one sentence
 * - `unreachable`: Temporal or the worker did not answer in time
 */
export type LookUpNow =
  | { readonly kind: 'asking' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unreachable' };

const DEADLINE_MS = 4_000;

/** Makes the asker. It never rejects for what an outage does. */
export function lookUpAsker(client: Client) {
  return async function lookUpNow({ workflowId }: { workflowId: string }): Promise<LookUpNow> {
    try {
      await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.workflow.getHandle(workflowId).executeUpdate('lookUpNow'),
      );
      return { kind: 'asking' };
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) return refused(error);
      if (error instanceof WorkflowNotFoundError) {
        return {
          kind: 'refused',
          why: 'It has no open run; the auditor gives it one in a minute.',
        };
      }
      if (isOutage(error)) return { kind: 'unreachable' };
      throw error;
    }
  };
}

function refused({ cause }: WorkflowUpdateFailedError): LookUpNow {
  if (cause instanceof ApplicationFailure) return { kind: 'refused', why: cause.message };
  throw new Error('the update lookUpNow failed without a reason', { cause });
}

/** gRPC: 1 canceled, 4 deadline, 14 unavailable. */
function isOutage(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = error instanceof Error ? error.cause : undefined;
  return [1, 4, 14].includes(Number(code)) || (cause !== undefined && isOutage(cause));
}
