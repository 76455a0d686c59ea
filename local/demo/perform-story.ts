/** Plays one story, gathers what both sides say about it, and checks how it ended. */
import { randomUUID } from 'node:crypto';
import type { Explanation, Result } from '../../client/types';
import type { ChargeRequest, Ledger } from './client';
import type { DemoStack } from './demo-stack';
import { killWorkerInMidCall, type Incident } from './kill-worker';
import type { Story } from './stories';

/** A story that was played. Times are milliseconds of this machine's clock, which all parts share. */
export interface PlayedStory {
  readonly story: Story;
  readonly charge: ChargeRequest;
  readonly requestedAt: number;
  readonly answeredAt: number;
  readonly answer: Result;
  /** The same request once more, after the end. */
  readonly repeat: Result;
  readonly explanation: Explanation;
  readonly ledger: Ledger;
  readonly incidents: readonly Incident[];
}

const LIMIT_MS = 120_000;
/** The longest that the gateway lets a caller wait. */
const WAIT_SECONDS = 60;

/** Plays the story; `name` is unique, so that the demo can run again on the same data. */
export async function performStory(
  story: Story,
  stack: DemoStack,
  name: string,
): Promise<PlayedStory> {
  const { client } = stack;
  const { provider, fault, killsWorker } = story;
  const source = `card_${name}`;
  const charge = {
    key: randomUUID(),
    amount: 1_000,
    currency: 'EUR',
    source,
    reference: name,
    provider,
  };
  if (fault !== null) await client.programme(fault, source);
  const requestedAt = Date.now();
  const [{ answer, answeredAt }, incidents] = await Promise.all([
    untilFinal(stack, charge, requestedAt),
    killsWorker ? killWorkerInMidCall(stack, source) : [],
  ]);
  const repeat = await client.charge(charge, 0);
  const explanation = await client.explanation(answer.intent);
  const ledger = await client.ledger(source);
  return { story, charge, requestedAt, answeredAt, answer, repeat, explanation, ledger, incidents };
}

/** A 202 is no trouble: the same request under the same key joins the wait again. */
async function untilFinal(
  { client }: DemoStack,
  charge: ChargeRequest,
  requestedAt: number,
): Promise<{ answer: Result; answeredAt: number }> {
  for (;;) {
    const answer = await client.charge(charge, WAIT_SECONDS);
    const answeredAt = Date.now();
    const isOpen = 'retryAfterMs' in answer && answer.status !== 'in_review';
    if (!isOpen || answeredAt - requestedAt > LIMIT_MS) return { answer, answeredAt };
  }
}

/** What is wrong with the end of the story, each in one sentence; nothing where it is as promised. */
export function complaints(played: PlayedStory): readonly string[] {
  const { story, answer, repeat, ledger } = played;
  const { attempts, chargeCalls, asksTheProvider } = story.expected;
  const about = (what: string, found: unknown, expected: unknown): readonly string[] =>
    found === expected
      ? []
      : [`${story.title}: ${what} is ${String(found)}, expected ${String(expected)}.`];
  return [
    ...about('the status', answer.intent.status, 'succeeded'),
    ...about('the HTTP code', answer.httpStatus, 201),
    ...about('the number of effects in the ledger', ledger.effects.length, 1),
    ...about('the number of attempts', answer.intent.attempts, attempts),
    ...about('the number of charge calls', callsOf(ledger, 'charge'), chargeCalls),
    ...about('"the provider was asked"', callsOf(ledger, 'query') > 0, asksTheProvider),
    ...about('the HTTP code of the repeat', repeat.httpStatus, 201),
    ...about('"the repeat was recognised"', repeat.isRepeat, true),
    ...about('"the killed worker heard an answer"', heardAfterKill(played), false),
  ];
}

/** How often the provider was called so. */
export function callsOf({ calls }: Ledger, call: 'charge' | 'query'): number {
  return calls.filter((one) => one.call === call).length;
}

/** An answer on record would mean that the kill came too late to show anything. */
function heardAfterKill({ story, explanation }: PlayedStory): boolean {
  return story.killsWorker && explanation.observations.some((one) => one.source === 'response');
}
