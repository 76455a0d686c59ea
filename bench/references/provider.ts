/** The provider call of the references: what one would write by hand with an HTTP client. */
import { Agent, request } from 'undici';

/** The body of a charge, as callers send it to every system. */
export interface Charge {
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly reference: string;
}

/** What the references answer. */
export interface Charged {
  readonly id: string;
  readonly status: string;
}

/** As many connections as our own adapter opens. */
const agent = new Agent({ connections: 128, pipelining: 1 });

/** Charges once under the key, on the provider that our gateway uses by default. */
export async function chargeProvider(origin: string, key: string, charge: Charge) {
  const { amount, currency, source } = charge;
  const { statusCode, body } = await request(`${origin}/full/v1/charges`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ amount, currency, source, reference: key }),
    signal: AbortSignal.timeout(2_000),
  });
  const answer = (await body.json()) as Charged;
  if (statusCode !== 201) throw new Error(`the provider answered ${statusCode}`);
  return { id: answer.id, status: answer.status };
}
