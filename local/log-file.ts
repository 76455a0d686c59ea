/**
 * One log file a child. Children write straight into it, not through us: a busy or dead supervisor
 * neither blocks them nor breaks their pipe, and no line is lost. We follow the file to learn that a
 * child is ready, and quote its end when it fails.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMissing } from './json-file';

const ROTATE_AT_BYTES = 20 * 1024 * 1024;

/** Makes room at a start: one older generation is kept beside the log. */
export function rotateLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (sizeOf(path) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
}

export function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** Resolves when the text appears behind the offset. */
export async function appearsInLog(
  log: { path: string; offset: number },
  text: string,
  signal: AbortSignal,
): Promise<void> {
  while (!readFrom(log.path, log.offset).includes(text)) await delay(30, undefined, { signal });
}

/** The last lines behind the offset, to be quoted in an error. */
export function lastLines(log: { path: string; offset: number }, count: number): string[] {
  return readFrom(log.path, log.offset)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
}

/** At most the last 256 KiB: what is looked for comes early or last, never in the middle of much. */
function readFrom(path: string, offset: number): string {
  const file = openSync(path, 'r');
  try {
    const end = fstatSync(file).size;
    const start = Math.max(offset, end - 256 * 1024);
    const buffer = Buffer.alloc(Math.max(end - start, 0));
    const length = readSync(file, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
