/** What a provider does without us: charges at `sim-lookup` itself, and what the reconciler makes of them. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { providerReference } from '../../domain/identity';
import { type Ready } from '../../local/ready';
import { charge, exchange } from './intent-client';
import { simulatorClient } from './simulator-client';
import { until } from './until';

/** Charges 10.00 EUR there, under any reference; returns the provider's id. */
export async function chargeBehindOurBack(
  { simulator }: Pick<Ready, 'simulator'>,
  effect: { readonly reference: string; readonly source: string },
): Promise<string> {
  const { body, statusCode } = await request(`${simulator}/lookup/v1/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1000, currency: 'EUR', ...effect }),
  });
  if (statusCode !== 201) throw new Error(`the simulator answered ${statusCode}`);
  return ((await body.json()) as { readonly id: string }).id;
}

/** A failed charge that the provider did after all. */
export interface DiscrepantCharge {
  readonly id: string;
  readonly source: string;
  readonly reference: string;
  /** The provider's id of the effect. */
  readonly effect: string;
  /** When its discrepancy was opened. */
  readonly since: string;
}

/** Declined, charged behind our back, found by the reconciler. */
export async function discrepantCharge(ready: Ready): Promise<DiscrepantCharge> {
  const source = `card_${randomUUID()}`;
  const reference = `order-${source.slice(-8)}`;
  const match = { source };
  await simulatorClient(ready.simulator_admin).programme({ on: 'charge', do: 'decline', match });
  const { body } = await charge(
    ready.api,
    { reference, source, provider: 'sim-lookup' },
    { token: ready.tenants.acme.token, key: source, wait: 30 },
  );
  const { id } = body['intent'] as { readonly id: string };
  const ours = providerReference(id, 'apply');
  const effect = await chargeBehindOurBack(ready, { reference: ours, source });
  const since = await untilReconciled(ready, async () => {
    const url = `${ready.api}/v1/intents/${id}`;
    const found = await exchange(url, { token: ready.operators.olive.token });
    return (found.body['discrepancy'] as { readonly since: string } | null)?.since;
  });
  return { id, source, reference, effect, since };
}

/** An effect under a reference of ours that names no intent, found by the reconciler; its id there. */
export async function orphanEffect(ready: Ready): Promise<string> {
  const reference = providerReference(randomUUID(), 'apply');
  const effect = await chargeBehindOurBack(ready, { reference, source: `card_${randomUUID()}` });
  return untilReconciled(ready, async () => {
    const found = await exchange(`${ready.api}/v1/orphan-effects`, {
      token: ready.operators.olive.token,
    });
    const listed = found.body['data'] as readonly { readonly provider_id: string }[];
    return listed.some((one) => one.provider_id === effect) ? effect : undefined;
  });
}

/** Asks for passes until `found` says so: a listing lags a little. */
async function untilReconciled<Value>(
  { temporal }: Ready,
  found: () => Promise<Value | undefined>,
): Promise<Value> {
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  try {
    return await until('the reconciler has found it', async () => {
      await client.workflow.getHandle('resolute.reconciler.sim-lookup').signal('reconcileNow');
      return found();
    });
  } finally {
    await connection.close();
  }
}
