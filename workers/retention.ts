/**
 * Makes the one Schedule of the daily purge; every worker does so at start, and the first one wins. A
 * Schedule, and not a timer of the auditor's: operators see when it runs next, and may pause it.
 */
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client';
import { type TimeOfDay } from '../config/environment';
import { INTENTS_TASK_QUEUE } from '../orchestration/task-queues';
import { type retention } from '../workflows';

/** Also the id of its runs, with the time behind it. */
const RETENTION_ID = 'resolute.retention';

/** Creates the Schedule, or gives the one that exists this time of day (UTC); a pause stays. */
export async function ensureRetention(client: Client, at: TimeOfDay): Promise<void> {
  try {
    await client.schedule.create({ scheduleId: RETENTION_ID, ...daily(at) });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await adjust(client, at);
  }
}

type DailyRun = ScheduleOptions<ScheduleOptionsStartWorkflowAction<typeof retention>>;

/** A run that is still going lets the next one fall out; one that was missed is made up for. */
function daily({ hour, minute }: TimeOfDay): Omit<DailyRun, 'scheduleId'> {
  const calendars = [{ hour, minute, comment: 'UTC' }];
  return {
    spec: { calendars },
    policies: { overlap: 'SKIP', catchupWindow: '12 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'retention',
      workflowId: RETENTION_ID,
      taskQueue: INTENTS_TASK_QUEUE,
      args: [],
      staticSummary: 'Purges parameters that are past their retention',
    },
  };
}

/** Writes only where the time differs: a start of many workers is no reason for many updates. */
async function adjust(client: Client, at: TimeOfDay): Promise<void> {
  const schedule = client.schedule.getHandle(RETENTION_ID);
  if (runsAt(await schedule.describe(), at)) return;
  await schedule.update(({ state }) => ({ ...daily(at), state }));
}

function runsAt({ spec }: ScheduleDescription, { hour, minute }: TimeOfDay): boolean {
  const [calendar] = spec.calendars ?? [];
  return calendar?.hour[0]?.start === hour && calendar.minute[0]?.start === minute;
}
