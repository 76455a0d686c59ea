/**
 * Workflow code with an incompatible change, for the gate's negative controls: it waits before the
 * first step, so every run that exists would depart from its history.
 */
import { sleep } from '@temporalio/workflow';
import { settleIntent as settle } from '../../workflows/settle-intent';
import { type SettleInput } from '../../workflows/settle-input';

export { auditor } from '../../workflows/auditor';

/** The planted workflow, under the name of the real one. */
export async function settleIntent(input: SettleInput) {
  await sleep('1 minute');
  return settle(input);
}
