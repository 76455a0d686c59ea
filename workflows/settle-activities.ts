/** The activities of one settlement with their time-outs and retry policies, each with its reason. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  proxyActivities,
} from '@temporalio/workflow';
import { type OwnActivities, type ProviderActivities } from '../activities';
import { type DecideAnswer } from '../activities/decide';
import { type Journal } from '../domain/journal';
import { type Status } from '../domain/status';
import { type SendStep } from '../domain/step';
import { INTENTS_TASK_QUEUE, providerTaskQueue } from '../orchestration/task-queues';
import { type DecideForm } from './desk-forms';
import { HEARTBEAT_TIMEOUT, sender } from './sender';
import { type SettleInput } from './settle-input';

/** Why the provider is asked before its time. */
export type OutOfTurn = 'asked' | 'wasRead';

/** What the loop may do to the world; each returns the journal after it. */
export interface SettleActivities {
  send(step: SendStep): Promise<Journal>;
  /** Out of turn for an operator (`asked`) or for a reader (`wasRead`), or on the schedule. */
  lookUp(why?: OutOfTurn): Promise<Journal>;
  record(): Promise<Journal>;
  /** Throws ApplicationFailure where the store cannot be reached in time: the same again is harmless. */
  decide(form: DecideForm): Promise<DecideAnswer>;
  /** The intent's status after it. */
  cancel(by: string): Promise<Status>;
}

/** The Web UI gives up on an update after 20 s, and calls that a success. */
const ANSWER_WITHIN = '15s';

/** Binds the activities to one intent and its provider's task queue. */
export function settleActivities(input: SettleInput): SettleActivities {
  const { intentId, provider, contract } = input;
  const { lookUp } = proxyActivities<ProviderActivities>({
    taskQueue: providerTaskQueue(provider),
    startToCloseTimeout: contract.send.budgetMs + 10_000,
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    // Gently, since each task that a frozen worker swallows is one of these retries.
    retry: { initialInterval: '500ms', backoffCoefficient: 1.5, maximumInterval: '30s' },
  });
  const { record, cancel } = proxyActivities<OwnActivities>({
    taskQueue: INTENTS_TASK_QUEUE,
    startToCloseTimeout: '5s',
    retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' },
  });
  const { decide } = proxyActivities<OwnActivities>({
    taskQueue: INTENTS_TASK_QUEUE,
    startToCloseTimeout: '5s',
    scheduleToCloseTimeout: ANSWER_WITHIN,
    retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '3s' },
  });
  const ask = (why?: OutOfTurn): Promise<Journal> =>
    lookUp.executeWithOptions({ summary: `ask ${provider} what happened` }, [
      { intentId, provider, ...(why !== undefined && { [why]: true }) },
    ]);

  return {
    send: sender(input, ask),
    lookUp: ask,
    record: () => record.executeWithOptions({ summary: 'record where it stands' }, [{ intentId }]),
    decide: (form) =>
      CancellationScope.nonCancellable(async () => {
        const summary = `record the decision ${form.decision}`;
        try {
          return await decide.executeWithOptions({ summary }, [{ intentId, ...form }]);
        } catch (error) {
          throw error instanceof ActivityFailure ? notAnswered(error) : error;
        }
      }),
    cancel: (by) =>
      CancellationScope.nonCancellable(() =>
        cancel.executeWithOptions({ summary: 'record the cancel' }, [
          { id: intentId, tenant: input.tenant, by },
        ]),
      ),
  };
}

/** Recorded or not is unknown, and need not be known: the decision id makes the repeat harmless. */
function notAnswered(cause: ActivityFailure): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'The store did not answer in time. Send the very same again: it counts once.',
    type: 'StoreUnavailable',
    nonRetryable: true,
    cause,
  });
}
