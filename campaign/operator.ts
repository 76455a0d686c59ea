/**
 * A truthful operator: reads the provider's ledger, as a person reads a statement, and decides every
 * intent that waits for one, again until the engine takes it (a decision before the proof time is
 * refused). A second person approves what the first may not decide alone.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { type RunningStack } from '../local/ready';
import { administrate } from './administrate';
import { readReviews, type Review } from './books';

/** Longer than every proof time and the look-up that confirms a decision. */
const GIVE_UP_MS = 120_000;

/** What the ledger says of one payer's instrument. */
interface Statement {
  readonly effects: readonly {
    readonly id: string;
    readonly kind: string;
    readonly amount: number | null;
    readonly status: string;
  }[];
}

/** Decides until nothing is in review, or time is up; says how many decisions were taken. */
export async function decideReviews(
  stack: RunningStack,
  progress: (line: string) => void,
): Promise<number> {
  const end = Date.now() + GIVE_UP_MS;
  let taken = 0;
  for (let left = -1; left !== 0 && Date.now() < end;) {
    const reviews = await readReviews(stack.ready);
    if (reviews.length !== left) progress(`${reviews.length} intents wait for the operator`);
    left = reviews.length;
    for (const review of reviews) taken += (await decide(stack, review)) ? 1 : 0;
    await pause(1_000);
  }
  return taken;
}

/** True where the gateway took the decision. */
async function decide(stack: RunningStack, review: Review): Promise<boolean> {
  const truth = await readTruth(stack, review);
  if (truth === null) return false;
  const { olive, oscar } = stack.ready.operators;
  const decisionId = randomUUID();
  const path = `${stack.ready.api}/v1/intents/${review.id}/decisions`;
  const body = {
    decision_id: decisionId,
    decision: truth,
    evidence: 'the provider’s ledger',
    reason: 'what the ledger shows',
  };
  const answer = await post(path, olive.token, body);
  if (answer.state === 'proposed') {
    return (await post(`${path}/${decisionId}/approve`, oscar.token)).code < 300;
  }
  return answer.code < 300;
}

/** Null where the provider itself has not ended it: it is told to, and read again later. */
async function readTruth(
  stack: RunningStack,
  { kind, source, amount }: Review,
): Promise<'applied' | 'not_applied' | null> {
  const path = `ledger?source=${source}`;
  const { effects } = (await administrate(stack, { path, method: 'GET' })) as Statement;
  // Refunds of one charge differ in amount.
  const its = effects.filter((one) => one.kind === kind && one.amount === amount);
  const open = its.filter((one) => ['pending', 'requires_action'].includes(one.status));
  for (const { id } of open) {
    const order = { about: id, type: `${kind}.failed` };
    await administrate(stack, { path: 'notifications', method: 'POST', order });
  }
  if (open.length > 0) return null;
  return its.some((one) => one.status === 'succeeded') ? 'applied' : 'not_applied';
}

async function post(url: string, token: string, body?: unknown) {
  const reply = await request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const said = (await reply.body.json()) as { readonly decision?: { readonly state: string } };
  return { code: reply.statusCode, state: said.decision?.state ?? null };
}
