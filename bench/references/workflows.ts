/** The workflows of the references. */
import { proxyActivities } from '@temporalio/workflow';
import { type chargeActivities } from './charge-activities';
import { type Charge, type Charged } from './provider';

const { charge } = proxyActivities<ReturnType<typeof chargeActivities>>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
});

/** The naive workflow: the key is the workflow id, one activity, its result is the answer. */
export async function naive(key: string, parameters: Charge): Promise<Charged> {
  return charge(key, parameters);
}

/** The floor: a workflow that does nothing at all. */
export async function empty(): Promise<void> {
  // Nothing but the start and the end of a run.
}
