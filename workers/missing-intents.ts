/** Notices runs whose intent is not in the database: each try of theirs is counted and logged. */
import { type Context } from '@temporalio/activity';
import { type ActivityInterceptors } from '@temporalio/worker';
import { IntentMissingError } from '../store/locked-intent';
import { type WorkerMetrics } from '../telemetry/worker-metrics';

/** Makes the interceptors of one activity's run. The run tries again: its intent may come back. */
export function noticeMissing(metrics: WorkerMetrics) {
  return ({ info, log }: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof IntentMissingError) {
            metrics.runsWithoutIntent.inc();
            const workflowId = info.workflowExecution?.workflowId;
            log.error('a run has no intent in this database', { workflowId });
          }
          throw error;
        }
      },
    },
  });
}
