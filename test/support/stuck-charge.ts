/** A charge whose answer was lost at a provider that cannot be asked: it waits for an operator. */
import { randomUUID } from 'node:crypto';
import { type Ready } from '../../local/ready';
import { charge } from './intent-client';
import { simulatorClient } from './simulator-client';
import { until } from './until';

export interface StuckCharge {
  readonly id: string;
  readonly source: string;
  readonly reference: string;
  readonly workflowId: string;
}

/** `landed`: whether the provider did it. In review when this returns. */
export async function stuckCharge(
  ready: Ready,
  { amount = 1_000, landed }: { readonly amount?: number; readonly landed: boolean },
): Promise<StuckCharge> {
  const { api, tenants, simulator_admin } = ready;
  await untilAnswered(ready);
  const key = randomUUID();
  const source = `card_${key}`;
  const reference = `order-${key.slice(0, 8)}`;
  await simulatorClient(simulator_admin).programme({
    on: 'charge',
    do: landed ? 'timeout-after-effect' : 'timeout-before-effect',
    match: { source },
  });
  const { body } = await charge(
    api,
    { reference, amount, source, provider: 'sim-blind' },
    { token: tenants.acme.token, key, wait: 30 },
  );
  if (body['status'] !== 'in_review') throw new Error(`not stuck: ${JSON.stringify(body)}`);
  return { id: String(body['id']), source, reference, workflowId: `acme.payment.charge.${key}` };
}

/**
 * Many lost answers in a row, this one among those of other suites, look like a provider that is down,
 * and nothing is sent to it for a while. An answer that arrives ends that, and begins the count anew.
 */
async function untilAnswered({ api, tenants }: Ready): Promise<void> {
  const key = randomUUID();
  const body = { reference: `answered-${key}`, source: `card_${key}`, provider: 'sim-blind' };
  await until(
    'the provider answers',
    async () => {
      const asking = { token: tenants.acme.token, key, wait: 5 };
      const { body: intent } = await charge(api, body, asking);
      return intent['status'] === 'succeeded' || undefined;
    },
    120_000,
  );
}
