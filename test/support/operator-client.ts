/** An operator as the API sees one: a token, and decisions with an id of their own. */
import { randomUUID } from 'node:crypto';
import { exchange, type Reply } from './intent-client';

/** A decision as it is sent; every member may be changed. */
export type DecisionBody = Readonly<Record<string, unknown>>;

/** Speaks for the holder of `token`. */
export function operatorClient(api: string, token: string) {
  const post = (path: string, body: string | undefined): Promise<Reply> =>
    exchange(`${api}${path}`, {
      token,
      method: 'POST',
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
  return {
    decide: (intent: string, body: DecisionBody): Promise<Reply> =>
      post(`/v1/intents/${intent}/decisions`, JSON.stringify(decisionBody(body))),
    /** Sends these very bytes as a decision. */
    decideRaw: (intent: string, body: string | undefined): Promise<Reply> =>
      post(`/v1/intents/${intent}/decisions`, body),
    approve: (intent: string, decision: string): Promise<Reply> =>
      post(`/v1/intents/${intent}/decisions/${encodeURIComponent(decision)}/approve`, undefined),
    get: (path: string): Promise<Reply> => exchange(`${api}${path}`, { token }),
  };
}

/** A decision that lacks nothing. */
function decisionBody(changes: DecisionBody): DecisionBody {
  return {
    decision_id: randomUUID(),
    decision: 'applied',
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
    ...changes,
  };
}
