/** The stack that `start-shared-stack.ts` runs, as the suites see it. */
import { type Ready, readReady } from '../../local/ready';
import { STACK_VARIABLE } from './start-shared-stack';

/** Addresses of the running stack and where it keeps its data. */
export function sharedStack(): { readonly ready: Ready; readonly dataDirectory: string } {
  const dataDirectory = process.env[STACK_VARIABLE];
  const ready = dataDirectory === undefined ? undefined : readReady(dataDirectory);
  if (dataDirectory === undefined || ready === undefined) {
    throw new Error('no stack is running: this suite belongs to a project with the global set-up');
  }
  return { ready, dataDirectory };
}
