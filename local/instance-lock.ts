/**
 * One supervisor a data directory. The claim is a file made by link(2), which creates name and
 * content in one step, so that a reader never meets an empty claim. A claim whose process is gone is
 * stale and taken over.
 */
import { linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode, isMissing, readTextFile, writeJsonFile } from './json-file';
import { identityOf, mayBeRunning, type ProcessIdentity } from './process-identity';
import { StartError } from './start-error';

export interface Claim {
  /** A start that comes now waits for our end and is not refused. */
  readonly announceEnd: () => void;
  readonly release: () => void;
}

/** How long a start waits for one that is stopping; stopping takes 15 s at most. */
const WAIT_FOR_END_MS = 20_000;

interface Holder extends ProcessIdentity {
  readonly isEnding?: boolean;
}

/** Claims the data directory for this process, or refuses, naming the process that has it. */
export async function claimDataDirectory(directory: string, signal: AbortSignal): Promise<Claim> {
  const claim = join(directory, 'supervisor.json');
  const own = `${claim}.${process.pid}`;
  const identity = identityOf(process.pid);
  const patience = Date.now() + WAIT_FOR_END_MS;
  writeJsonFile(own, identity);
  try {
    while (!linked(own, claim)) {
      const text = readTextFile(claim);
      if (text === undefined) continue;
      const holder = parseHolder(text);
      if (holder === undefined || !mayBeRunning(holder)) discardStale(claim, text);
      else if (holder.isEnding === true && Date.now() < patience) {
        await delay(50, undefined, { signal });
      } else throw refusal(holder, directory);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    announceEnd: () => writeJsonFile(claim, { ...identity, isEnding: true }),
    release: () => rmSync(claim, { force: true }),
  };
}

function refusal({ pid }: Holder, directory: string): StartError {
  return new StartError(
    `Already running: process ${pid} uses the data directory ${directory}. Stop it, or set RESOLUTE_DATA_DIR to another directory.`,
  );
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Two starts may find the same stale claim: the first removes it and claims, and the second must not
 * remove that fresh claim. So the claim is moved aside first and put back if it is not the stale one.
 */
function discardStale(claim: string, staleText: string): void {
  const aside = `${claim}.stale.${process.pid}`;
  try {
    renameSync(claim, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (readTextFile(aside) !== staleText) linked(aside, claim);
  rmSync(aside, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (typeof value.pid !== 'number') return undefined;
    return { ...value, pid: value.pid, startedAt: value.startedAt ?? null };
  } catch {
    // Only damage from outside leaves a claim that is no JSON; nobody can be behind it.
    return undefined;
  }
}
