/**
 * One campaign: callers, faults and blows at once, until every intent is final or in front of a person;
 * then the books are compared. The seed decides the plan; processes and network decide the timing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readReady, type RunningStack } from '../local/ready';
import { administrate } from './administrate';
import { strike } from './blows';
import { countUnfinished, readBooks } from './books';
import { check } from './check';
import { type Books, type Finding } from './facts';
import { live } from './live';
import { decideReviews } from './operator';
import { planIntents, planLossyProvider } from './plan';
import { type PlannedBlow } from './plan-blows';

export interface CampaignOptions {
  /** `storm`: every fault, and blows to every process. `lossy`: one provider that loses answers. */
  readonly profile: 'storm' | 'lossy';
  readonly seed: number;
  /** Charges and messages; refunds come on top. */
  readonly intents: number;
  /** Callers at once. */
  readonly callers: number;
  readonly progress: (line: string) => void;
}

export interface CampaignResult {
  readonly books: Books;
  /** After the storm, and what the operator's decisions were. */
  readonly reviews: number;
  readonly decisions: number;
  /** Of the books after the storm, and again after the operator. */
  readonly findings: readonly Finding[];
  readonly blows: readonly PlannedBlow[];
  readonly requests: number;
  /** Answers of 500 and up that were no 503. */
  readonly crashes: readonly string[];
  /** From the first request to the last comparison. */
  readonly tookMs: number;
}

/** The end of every doubt: patience, and then some for a machine under load. */
const SETTLE_MS = 240_000;

const NOTIFYING_MS = 10_000;

/** Runs it on a stack of its own, which must be fresh: every intent in it is judged. */
export async function runCampaign(
  stack: RunningStack,
  options: CampaignOptions,
): Promise<CampaignResult> {
  const startedAt = performance.now();
  const isStorm = options.profile === 'storm';
  const plan = (isStorm ? planIntents : planLossyProvider)(options.seed, options.intents);
  const storm = new AbortController();
  if (!isStorm) storm.abort();
  const notifying = notifyHalfOfTheTime(stack, storm.signal);
  const blows = strike(stack.dataDirectory, { seed: options.seed, signal: storm.signal });
  const lives = await inParallel(plan, options, (one) => live(stack, one)).finally(() => {
    storm.abort();
  });
  const answers = lives.flatMap((one) => one.stories);
  const told = { keys: plan, answers, refusals: lives.flatMap((one) => one.refusals) };
  const struck = await blows;
  await notifying;
  options.progress(`${struck.length} blows; waiting until nothing is under way`);
  await untilSettled(stack, options.progress);
  const stormy = await readBooks(present(stack), told);
  const decisions = await decideUntilDone(stack, options.progress);
  const books = { ...(await readBooks(present(stack), told)), isDecided: true };
  return {
    books,
    reviews: stormy.intents.filter((one) => one.status === 'in_review').length,
    decisions,
    findings: [...check(stormy), ...check(books)],
    blows: struck,
    requests: answers.reduce((sum, one) => sum + one.requests, 0),
    crashes: answers.flatMap((one) => one.crashes),
    tookMs: performance.now() - startedAt,
  };
}

/** More than an intent ever needs: its outcome, then its undoing, each once or twice. */
const MOST_ROUNDS = 5;

/** What a person decided may come back: an undoing that follows and is not answered is a new question. */
async function decideUntilDone(
  stack: RunningStack,
  progress: CampaignOptions['progress'],
): Promise<number> {
  let decisions = 0;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const made = await decideReviews({ ...stack, ready: present(stack) }, progress);
    decisions += made;
    await untilSettled(stack, progress);
    if (made === 0) break;
  }
  return decisions;
}

/** After a restart of the stack's parts, where they are now. */
function present(stack: RunningStack) {
  return readReady(stack.dataDirectory) ?? stack.ready;
}

/** The provider's own notifications, on and off in turn until the storm is over. */
async function notifyHalfOfTheTime(stack: RunningStack, signal: AbortSignal): Promise<void> {
  for (let isOn = true; !signal.aborted; isOn = !isOn) {
    await settings(stack, isOn);
    // The end of the storm cuts the pause short: that is no fault.
    await pause(NOTIFYING_MS, undefined, { signal }).catch(() => undefined);
  }
  await settings(stack, false);
}

function settings(stack: RunningStack, isOn: boolean): Promise<unknown> {
  const order = { notify: isOn ? 'on' : 'off' };
  return administrate(stack, { path: 'settings', method: 'PUT', order });
}

async function untilSettled(
  stack: RunningStack,
  progress: CampaignOptions['progress'],
): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  for (let left = -1; left !== 0 && Date.now() < end;) {
    await pause(1_000);
    const now = await countUnfinished(present(stack)).catch(() => left);
    if (now !== left) progress(`${now} intents are not at rest`);
    left = now;
  }
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  { callers, progress }: CampaignOptions,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const queue = items.values();
  const results: Result[] = [];
  const caller = async (): Promise<void> => {
    for (const item of queue) {
      results.push(await work(item));
      if (results.length % 250 === 0) progress(`${results.length} of ${items.length} callers done`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(callers, items.length) }, caller));
  return results;
}
