/**
 * Workflow interceptors for replays: report what the present code asks for, since a replay itself
 * compares only the kind of a command and an activity's name, never arguments, options or results.
 */
import { msOptionalToNumber } from '@temporalio/common/lib/time';
import {
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';

/** Where the commands are reported; called during replay. */
export interface CommandSinks extends Sinks {
  commands: { report(workflowId: string, command: string): void };
}

const { commands } = proxySinks<CommandSinks>();

function report(command: Readonly<Record<string, unknown>>): void {
  commands.report(workflowInfo().workflowId, JSON.stringify(command));
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        const result = await next(input);
        report({ kind: 'result', result });
        return result;
      },
    },
  ],
  outbound: [
    {
      scheduleActivity(input, next) {
        const { options } = input;
        report({
          kind: 'activity',
          activity: input.activityType,
          args: input.args,
          // A replay has a task queue of its own: its name says nothing about that of the run.
          taskQueue: options.taskQueue ?? null,
          attempts: options.retry?.maximumAttempts ?? 0,
          heartbeatMs: msOptionalToNumber(options.heartbeatTimeout) ?? 0,
        });
        return next(input);
      },
      scheduleLocalActivity(input, next) {
        report({ kind: 'local activity', activity: input.activityType });
        return next(input);
      },
    },
  ],
});
