/** Waits for a condition, never for a time. */
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 25;

/** Resolves with the first value of `probe` that is not undefined; throws after `limitMs`. */
export async function until<Value>(
  what: string,
  probe: () => Promise<Value | undefined> | Value | undefined,
  limitMs = 30_000,
): Promise<Value> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const value = await probe();
    if (value !== undefined) return value;
    await pause(PAUSE_MS);
  }
  throw new Error(`waited ${limitMs} ms in vain: ${what}`);
}
