/**
 * Jest's global set-up: one real stack (PostgreSQL, Temporal, simulator, api, worker) for all suites
 * that need one. Jest runs it once a run, and only if such a suite is part of the run.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStack, startStack } from '../../local/ready';
import { QUICK_CONTRACTS } from './quick-contracts';

/** Where the suites find the stack; set for Jest's workers, which inherit it. */
export const STACK_VARIABLE = 'RESOLUTE_TEST_STACK';

let stack: RunningStack | undefined;

export default async function startSharedStack(): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-test-'));
  stack = await startStack({ dataDirectory, contract: QUICK_CONTRACTS });
  process.env[STACK_VARIABLE] = dataDirectory;
}

/** Ends it; used by the global tear-down, which runs in the same process. */
export async function stopSharedStack(): Promise<string | undefined> {
  const directory = stack?.dataDirectory;
  const code = await stack?.stop();
  if (stack !== undefined && code !== 0) throw new Error(`the stack ended with ${code ?? 'null'}`);
  return directory;
}
