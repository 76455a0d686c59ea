/**
 * How an attempt is sent: as an activity on its provider's task queue, or, the first one of an intent
 * where the deployment has it so, as a local activity (settle-input.ts says what each gives).
 *
 * Temporal never repeats it: only evidence allows another attempt. It cannot promise that: a workflow
 * task that is lost, or a run that is reset, has a local activity run again. The permit that `send` opens
 * under the row lock is what protects the effect.
 */
import {
  ActivityFailure,
  log,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow';
import { type OwnActivities, type ProviderActivities } from '../activities';
import { type Journal } from '../domain/journal';
import { type SendStep } from '../domain/step';
import { providerTaskQueue } from '../orchestration/task-queues';
import { type SettleInput, subjectOf } from './settle-input';

/** A worker that died is noticed after this long. */
export const HEARTBEAT_TIMEOUT = '3s';

/** Room for writing the answer down while PostgreSQL restarts (activities/persist.ts). */
const RECORDING_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;

type Send = (step: SendStep) => Promise<Journal>;

/** Makes what sends, and returns the journal after it; from `ask` where a send gives no result. */
export function sender(input: SettleInput, ask: () => Promise<Journal>): Send {
  const { onQueue, here } = waysToSend(input);
  let failures = 0;

  return async function send(step) {
    const options = { summary: `${subjectOf(input)}, attempt ${step.number}` };
    const isFirst = step.effect === 'apply' && step.number === 1 && failures === 0;
    const way = isFirst && input.firstSend === 'local-activity' ? here : onQueue;
    const { intentId, provider } = input;
    try {
      const journal = await way.executeWithOptions(options, [{ intentId, provider, step }]);
      failures = 0;
      return journal;
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      // The worker died, or could not use the store. Whether anything was sent, the journal knows;
      // the look-up reads it first, and asks only where it is due.
      failures += 1;
      log.warn('a send gave no result; reading the journal', { failures });
      if (failures > 1) await sleep(Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS));
      return ask();
    }
  };
}

function waysToSend({ provider, contract }: SettleInput) {
  const longest = contract.send.budgetMs + RECORDING_MS;
  const { send: onQueue } = proxyActivities<ProviderActivities>({
    taskQueue: providerTaskQueue(provider),
    startToCloseTimeout: longest,
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    retry: { maximumAttempts: 1 },
  });
  const { send: here } = proxyLocalActivities<OwnActivities>({
    startToCloseTimeout: longest,
    retry: { maximumAttempts: 1 },
  });
  return { onQueue, here };
}
