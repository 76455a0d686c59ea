/** A charge whose answer was lost at a provider that cannot be asked: it waits for an operator. */
import { randomUUID } from 'node:crypto';
import { type Ready } from '../../local/ready';
import { charge } from './intent-client';
import { simulatorClient } from './simulator-client';

export interface StuckCharge {
  readonly id: string;
  readonly source: string;
  readonly reference: string;
  readonly workflowId: string;
}

/** `landed`: whether the provider did it. In review when this returns. */
export async function stuckCharge(
  { api, tenants, simulator_admin }: Ready,
  { amount = 1_000, landed }: { readonly amount?: number; readonly landed: boolean },
): Promise<StuckCharge> {
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
