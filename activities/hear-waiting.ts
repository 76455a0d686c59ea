/**
 * The auditor's part in notifications: those that were stored and not heard, because a wake-up got
 * lost, the intent had ended, or it was not there yet. Idempotent: what is heard waits no longer.
 */
import { log } from '@temporalio/activity';
import { type Journal } from '../domain/journal';
import { isFinal } from '../domain/status';
import { wakeSettlement } from '../orchestration/start-settlement';
import { recordStanding } from '../store/record-standing';
import { takeToldOtherwise } from '../store/told-otherwise';
import { alarmUnmatched, takeUnheard, type Unheard } from '../store/unmatched-notifications';
import { type Dependencies } from './dependencies';
import { askAbout } from './look-up';

/** Intents a pass; the rest wait for the next one. */
const BATCH = 100;

/** What a pass did about notifications. */
export interface Hearing {
  /** Intents that were looked after because of a notification. */
  readonly heard: number;
  /** Could not be, or the provider did not answer; taken again by a later pass. */
  readonly unheard: number;
  /** Notifications that wait for an intent; 1000 stands for more. */
  readonly unmatched: number;
}

/** Hears what can be heard, and alarms what cannot. */
export async function hearWaiting(deps: Dependencies): Promise<Hearing> {
  const intents = await takeUnheard(deps.pool, BATCH);
  const told = await takeToldOtherwise(deps.pool, BATCH);
  const results = await Promise.allSettled([
    ...intents.map((intent) => hear(deps, intent)),
    ...told.map((id) => askAgain(deps, id)),
  ]);
  const failures = results.filter((result) => result.status === 'rejected');
  for (const failure of failures) {
    log.warn('a notification could not be heard', { error: String(failure.reason) });
  }
  const { count, alarmed, oldest } = await alarmUnmatched(deps.pool);
  deps.metrics.notificationsUnmatched.inc(alarmed);
  if (alarmed > 0) {
    log.warn('notifications about nothing that we know', { alarmed, unmatched: count, oldest });
  }
  const unheard = failures.length;
  return { heard: results.length - unheard, unheard, unmatched: count };
}

/**
 * An intent that goes on is only woken: its run hears, so that no evidence is written of which the run
 * is never told. One that has ended has no run; there it is heard here.
 */
async function hear({ pool, client }: Dependencies, intent: Unheard): Promise<void> {
  if (isFinal(intent.status)) await recordStanding(pool, intent.intentId);
  else await wakeSettlement(client, intent);
}

/** The provider told another end than we know: what it answers when asked is evidence. */
async function askAgain(deps: Dependencies, intentId: string): Promise<void> {
  const recorded = await recordStanding(deps.pool, intentId);
  const answer = lastFinding(await askAbout(deps, recorded));
  log.warn('a provider told another end than is known, and was asked', {
    intent: intentId,
    answer,
  });
  if (answer === 'unknown') throw new Error(`the provider of ${intentId} did not answer`);
}

function lastFinding({ observations }: Journal): string | undefined {
  return observations.findLast((one) => one.source === 'look_up')?.finding.kind;
}
