/** Waits for a condition, never for a time. */
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 100;

/** Resolves with the first value of `probe` that is not undefined; throws after `limitMs`. */
export async function until<Value>(
  what: string,
  probe: () => Promise<Value | undefined> | Value | undefined,
  limitMs = 90_000,
): Promise<Value> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const value = await probe();
    if (value !== undefined) return value;
    await pause(PAUSE_MS);
  }
  throw new Error(`waited ${limitMs / 1_000} s in vain until ${what}`);
}
