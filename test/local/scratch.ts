/** Temporary directories and stand-in programs for the tests of the embedded stack. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const made: string[] = [];

/** A fresh directory that only this user may enter; all are removed by `removeScratch`. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'resolute-local-'));
  made.push(directory);
  return directory;
}

export function removeScratch(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Writes an executable shell script and returns its path. */
export function script(path: string, body: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Polls until the condition gives a value; fails after the bound. */
export async function eventually<T>(condition: () => T | undefined, boundMs = 10_000): Promise<T> {
  const end = Date.now() + boundMs;
  for (;;) {
    const value = condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`Nothing within ${boundMs} ms: ${condition.toString()}`);
    await delay(10);
  }
}
