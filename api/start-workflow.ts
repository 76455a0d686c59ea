/**
 * Gives a new intent its workflow. Not a condition of accepting it: where Temporal does not answer in
 * time the intent is recorded all the same, and the auditor starts it when Temporal is back (INV-10).
 */
import { type Client } from '@temporalio/client';
import { type FastifyBaseLogger } from 'fastify';
import { startSettlement, wakeSettlement } from '../orchestration/start-settlement';
import { type FirstSend } from '../workflows/settle-input';
import { type IntentRow } from '../store/intent-row';

/**
 * Makes the starter; how new intents are sent first is the deployment's choice. It tells whether Temporal
 * confirmed, and never rejects.
 */
export function workflowStarter(client: Client, log: FastifyBaseLogger, firstSend: FirstSend) {
  return async function startWorkflow(intent: IntentRow): Promise<boolean> {
    try {
      await startSettlement(client, { ...intent, intentId: intent.id }, firstSend);
      return true;
    } catch (error) {
      log.warn({ err: error, intent: intent.id }, 'workflow not started; the auditor will');
      return false;
    }
  };
}

/** Makes the waker. A wake-up that got lost is repeated by the auditor. */
export function workflowWaker(client: Client, log: FastifyBaseLogger) {
  return async function wakeWorkflow(intent: IntentRow): Promise<void> {
    try {
      await wakeSettlement(client, { ...intent, intentId: intent.id });
    } catch (error) {
      log.warn({ err: error, intent: intent.id }, 'workflow not woken; the auditor will');
    }
  };
}
