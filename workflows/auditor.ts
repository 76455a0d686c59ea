/**
 * One long-lived workflow that looks after everything that lost its owner (INV-10): a timer, one
 * activity over PostgreSQL, and a new run from time to time. Visible in the Web UI, no cron of ours.
 */
import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import { type OwnActivities } from '../activities';

/** Pause between passes; with the pass's own grace of 10 s nothing waits a minute. */
const PAUSE = '10s';

const { audit } = proxyActivities<OwnActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** Audits for ever. */
export async function auditor(): Promise<void> {
  while (!workflowInfo().continueAsNewSuggested) {
    await audit();
    await sleep(PAUSE, { summary: 'next audit' });
  }
  await continueAsNew<typeof auditor>();
}
