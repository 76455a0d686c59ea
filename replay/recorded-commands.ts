/** What a recorded history says that the workflow asked for, in the interceptor's words. */
import { type temporal } from '@temporalio/proto';
import { defaultPayloadConverter } from '@temporalio/common';

type History = temporal.api.history.v1.IHistory;
type Event = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

/** An activity with its arguments, a local activity (whose arguments no history has), or the result. */
export type Command =
  | {
      readonly kind: 'activity';
      readonly activity: string;
      readonly args: unknown[];
      /** Null: the workflow's own. */
      readonly taskQueue: string | null;
      readonly attempts: number;
      readonly heartbeatMs: number;
    }
  | { readonly kind: 'local activity'; readonly activity: string }
  | { readonly kind: 'result'; readonly result: unknown };

/** The marker that the SDK's core records when a local activity has ended. */
const LOCAL_ACTIVITY = 'core_local_activity';

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
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === LOCAL_ACTIVITY) {
      const [recorded] = decode(marker.details?.['data']);
      const { activity_type: activity } = recorded as { readonly activity_type: string };
      return [{ kind: 'local activity', activity }];
    }
    const completed = event.workflowExecutionCompletedEventAttributes;
    return completed ? [{ kind: 'result', result: decode(completed.result)[0] }] : [];
  });
}

function decode(payloads: Payloads): unknown[] {
  return (payloads?.payloads ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload));
}

/**
 * True if nothing happened since the last workflow task but what it commanded. Otherwise another task
 * is due or under way, whose commands are not in the history yet.
 */
export function isAtRest(history: History): boolean {
  const events = history.events ?? [];
  const last = events.findLastIndex((one) => one.workflowTaskCompletedEventAttributes);
  return last >= 0 && events.slice(last + 1).every(isCommanded);
}

/** The server links the event of a command to the task that gave it. */
export function isCommanded(event: Event): boolean {
  return Object.values(event).some(
    (attributes: unknown) =>
      typeof attributes === 'object' &&
      attributes !== null &&
      'workflowTaskCompletedEventId' in attributes,
  );
}

/** The commands with the workflow's own task queue by its name. */
export function onOwnQueue(history: History, commands: readonly Command[]): readonly Command[] {
  const own = history.events?.[0]?.workflowExecutionStartedEventAttributes?.taskQueue?.name ?? null;
  return commands.map((command) =>
    command.kind === 'activity' && command.taskQueue === null
      ? { ...command, taskQueue: own }
      : command,
  );
}
