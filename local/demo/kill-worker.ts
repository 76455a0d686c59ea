/** The fourth story's accident: the worker dies while the provider has its call. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoStack } from './demo-stack';
import { DemoError } from './demo-error';

/** Something the demo itself did or saw; shown in the timeline. */
export interface Incident {
  readonly at: number;
  readonly text: string;
}

const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;

/**
 * Kills the worker as soon as the ledger shows the call of `source`, and waits until the supervisor
 * has a new one.
 */
export async function killWorkerInMidCall(
  { client, ready }: DemoStack,
  source: string,
): Promise<readonly Incident[]> {
  await until('the provider had the call', async () => {
    const { calls } = await client.ledger(source);
    return calls.length > 0;
  });
  const killed = ready().pids.worker;
  process.kill(killed, 'SIGKILL');
  const death = { at: Date.now(), text: `SIGKILL for the worker (pid ${killed})` };
  await until('the supervisor had a new worker', () => ready().pids.worker !== killed);
  const birth = { at: Date.now(), text: `the supervisor starts pid ${ready().pids.worker}` };
  return [death, birth];
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + LIMIT_MS;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) {
      throw new DemoError(`Waited ${LIMIT_MS / 1_000} s in vain until ${what}.`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
