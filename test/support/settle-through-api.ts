/** A caller that means it: the same key again until the intent ends, whatever the network does. */
import { charge, type ChargeBody, type Reply } from './intent-client';
import { until } from './until';

const LIMIT_MS = 90_000;

/** Repeats the charge under its key until its outcome, or its review, is told. */
export function settleThroughApi(
  api: string,
  body: ChargeBody,
  options: { readonly token: string; readonly key: string },
): Promise<Reply> {
  return until(
    `${options.key} ends`,
    async () => {
      // Between a kill and the restart nobody listens: that is what repeats are for.
      const reply = await charge(api, body, { ...options, wait: 5 }).catch(() => undefined);
      if (reply === undefined || reply.status === 503) return undefined;
      if (reply.status === 202 && reply.body['status'] !== 'in_review') return undefined;
      return reply;
    },
    LIMIT_MS,
  );
}
