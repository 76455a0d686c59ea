/**
 * `npm run bench:gateway`: what a request costs the gateway's own process, in CPU milliseconds: a first
 * one, and its repeat after the outcome. The rest of the stack is not counted, and neither is waiting.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../client/client';
import { type Ready, startStack } from '../local/ready';
import { canReadCpu, cpuOf } from './processor-time';

/** Enough for the clock's step of 10 ms to vanish in the sum. */
const REQUESTS = 600;
const WARM_UP = 200;
/** At one time. */
const CALLERS = 8;
const REPEATS_EACH = 3;
/** After the last answer the gateway still hears of outcomes. */
const SETTLE_MS = 3_000;

async function main(): Promise<void> {
  if (!canReadCpu()) throw new Error('The CPU time of a process can be read on Linux only.');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-cost-'));
  const stack = await startStack({ dataDirectory });
  try {
    await measure(stack.ready);
  } finally {
    await stack.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function measure({ api, tenants, pids }: Ready): Promise<void> {
  const client = new Client({ baseUrl: api, token: tenants.acme.token });
  const request = async (name: string): Promise<void> => {
    const parameters = { amount: 1000, currency: 'EUR', source: 'card_1', reference: name };
    const options = { idempotencyKey: name, wait: 60 };
    const { status } = await client.create('payment.charge', parameters, options);
    if (status !== 'succeeded') throw new Error(`${name} is ${status}; the figures mean nothing.`);
  };
  const costOf = async (times: number, name: (index: number) => string): Promise<number> => {
    const before = cpuOf(pids.api);
    await inParallel(times, (index) => request(name(index)));
    await pause(SETTLE_MS);
    return (cpuOf(pids.api) - before) / times;
  };
  await costOf(WARM_UP, (index) => `warm-up-${index}`);
  await costOf(WARM_UP, (index) => `warm-up-${index}`);
  const first = await costOf(REQUESTS, (index) => `cost-${index}`);
  const repeat = await costOf(REQUESTS * REPEATS_EACH, (index) => `cost-${index % REQUESTS}`);
  console.log(
    JSON.stringify({
      first_ms: Number(first.toFixed(2)),
      repeat_ms: Number(repeat.toFixed(2)),
      repeat_to_first: Number((repeat / first).toFixed(2)),
      requests: REQUESTS,
      callers: CALLERS,
    }),
  );
}

async function inParallel(times: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < times; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
