/** What a recorded history says that the workflow asked for, in the interceptor's words. */
import { type temporal } from '@temporalio/proto';
import { defaultPayloadConverter } from '@temporalio/common';

type History = temporal.api.history.v1.IHistory;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

/** An activity with its arguments, or the result of the run. */
export type Command =
  | {
      readonly kind: 'activity';
      readonly activity: string;
      readonly args: unknown[];
      readonly taskQueue: string;
      readonly attempts: number;
      readonly heartbeatMs: number;
    }
  | { readonly kind: 'result'; readonly result: unknown };

/** The activities in the order in which they were scheduled, and the result if the run completed. */
export function recordedCommands(history: History): readonly Command[] {
  return (history.events ?? []).flatMap((event): Command[] => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) {
      return [
        {
          kind: 'activity',
          activity: scheduled.activityType?.name ?? '',
          args: decode(scheduled.input),
          taskQueue: scheduled.taskQueue?.name ?? '',
          attempts: scheduled.retryPolicy?.maximumAttempts ?? 0,
          // A protobuf Long or a number, depending on how the history was read.
          heartbeatMs: Number(scheduled.heartbeatTimeout?.seconds ?? 0) * 1_000,
        },
      ];
    }
    const completed = event.workflowExecutionCompletedEventAttributes;
    return completed ? [{ kind: 'result', result: decode(completed.result)[0] }] : [];
  });
}

function decode(payloads: Payloads): unknown[] {
  return (payloads?.payloads ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload));
}
