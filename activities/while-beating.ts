/**
 * Heartbeats around a call: a worker that dies in it is noticed within the heartbeat time-out. A local
 * activity has none: its worker beats for the workflow task that it is part of.
 */
import { activityInfo, heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 1_000;

/** Runs `work` with a heartbeat every second. */
export async function whileBeating<Result>(work: () => Promise<Result>): Promise<Result> {
  if (activityInfo().isLocal) return work();
  const beating = setInterval(heartbeat, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}
