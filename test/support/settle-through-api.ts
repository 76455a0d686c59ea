/** A caller that means it: the same key again until the intent ends, whatever the network does. */
import { Client } from '../../client/client';
import { type Result } from '../../client/types';
import { type ChargeBody } from './intent-client';

const LIMIT_MS = 90_000;
/** Between a kill and the restart nobody listens: that is what repeats are for. */
const RESENDING = { tries: 60, firstPauseMs: 50, longestPauseMs: 1_500 };

/** Repeats the charge under its key until its outcome, or its review, is told. */
export async function settleThroughApi(
  api: string,
  body: ChargeBody,
  { token, key }: { readonly token: string; readonly key: string },
): Promise<Result> {
  const client = new Client({ baseUrl: api, token, resending: RESENDING });
  const parameters = { amount: 1000, currency: 'EUR', source: 'card_1', ...body };
  const asked = await client.create('payment.charge', parameters, { idempotencyKey: key, wait: 5 });
  return client.waitForOutcome(asked, { limitMs: LIMIT_MS });
}
