/** Charges at the provider without us. */
import { request } from 'undici';
import { sharedStack } from './shared-stack';

/** Makes an effect at sim-lookup under `reference`; returns the provider's id of it. */
export async function chargeBehindOurBack(reference: string, source: string): Promise<string> {
  const { body, statusCode } = await request(`${sharedStack().ready.simulator}/lookup/v1/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1000, currency: 'EUR', source, reference }),
  });
  expect(statusCode).toBe(201);
  return ((await body.json()) as { readonly id: string }).id;
}
