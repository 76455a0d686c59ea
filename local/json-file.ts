/**
 * Small JSON files that other processes read while we write them (ready.json), or that must survive
 * a SIGKILL in the middle of a write (credentials, recorded processes). Written beside the target
 * and renamed over it, so that a reader sees the old text or the new one, never a part.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { types } from 'node:util';

export function writeJsonFile(path: string, value: unknown, mode = 0o644): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, path);
}

/** The parsed file, or undefined when there is none. Any other trouble is thrown. */
export function readJsonFile(path: string): unknown {
  const text = readTextFile(path);
  return text === undefined ? undefined : JSON.parse(text);
}

export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

/** Not by instanceof: under Jest, Node's own errors come from another realm. */
export function hasCode(error: unknown, code: string): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === code;
}
