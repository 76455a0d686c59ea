/**
 * Which processes this data directory has running, on disk, so that the start after a SIGKILL of the
 * supervisor can clean up what it left. A recorded pid is only ever killed with proof that it still
 * is the recorded process.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from './json-file';
import { identityOf, isProvenRunning, type ProcessIdentity } from './process-identity';

interface RecordedProcess extends ProcessIdentity {
  readonly name: string;
}

/** Long enough for sends in flight at their default budget, short enough for an impatient start. */
const GRACE_MS = 4_000;

export class ProcessRegistry {
  readonly #path: string;
  readonly #processes = new Map<string, RecordedProcess>();

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'processes.json');
  }

  /** Synchronous, right after the spawn: the moment in which a child is unknown stays tiny. */
  record(name: string, pid: number): void {
    this.#processes.set(name, { name, ...identityOf(pid) });
    this.#write();
  }

  forget(name: string): void {
    this.#processes.delete(name);
    this.#write();
  }

  clear(): void {
    this.#processes.clear();
    rmSync(this.#path, { force: true });
  }

  /** Ends what an earlier supervisor left running; returns the names of what was found. */
  async endLeftovers(): Promise<string[]> {
    const recorded = (readJsonFile(this.#path) ?? []) as RecordedProcess[];
    const left = recorded.filter(isProvenRunning);
    // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for its clients to leave.
    signalAll(left, (name) => (name === 'postgres' ? 'SIGINT' : 'SIGTERM'));
    await untilGone(left, GRACE_MS);
    signalAll(left, () => 'SIGKILL');
    await untilGone(left, GRACE_MS);
    this.clear();
    return left.map(({ name }) => name);
  }

  #write(): void {
    writeJsonFile(this.#path, [...this.#processes.values()]);
  }
}

function signalAll(
  processes: readonly RecordedProcess[],
  signalFor: (name: string) => NodeJS.Signals,
): void {
  for (const recorded of processes.filter(isProvenRunning)) {
    process.kill(recorded.pid, signalFor(recorded.name));
  }
}

async function untilGone(processes: readonly RecordedProcess[], boundMs: number): Promise<void> {
  const end = Date.now() + boundMs;
  while (processes.some(isProvenRunning) && Date.now() < end) await delay(20);
}
