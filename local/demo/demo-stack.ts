/**
 * The stack that the demo plays on: the one that runs on the data directory, else one of its own in
 * this very process, which ends with the demo.
 */
import { request } from 'undici';
import { Progress } from '../progress';
import { PROJECT_ROOT } from '../project-root';
import { readReady, type Ready } from '../ready';
import { readSettings } from '../settings';
import { Stack } from '../stack';
import { createDemoClient, type DemoClient } from './client';
import { DemoError } from './demo-error';

/** A stack that answers. */
export interface DemoStack {
  readonly client: DemoClient;
  /** Read anew at every call: a process that was started again has another pid. */
  readonly ready: () => Ready;
  /** False where somebody else's stack is used. */
  readonly isOurs: boolean;
}

/** A stack to be opened; `close` also ends a start that is under way. */
export interface StackOpening {
  readonly opened: Promise<DemoStack>;
  readonly close: () => Promise<void>;
}

/** Finds the running stack or starts one; `onRefused` hears of a part that cannot go on. */
export function openStack(onRefused: (error: Error) => void): StackOpening {
  const settings = readSettings(process.env, PROJECT_ROOT);
  const { dataDirectory } = settings;
  let own: Stack | undefined;

  const ready = (): Ready => {
    const found = readReady(dataDirectory);
    if (found === undefined) throw new DemoError('The stack was stopped during the demo.');
    return found;
  };
  const open = async (): Promise<DemoStack> => {
    if (await isRunning(readReady(dataDirectory))) {
      console.log(`Using the stack that runs on ${dataDirectory}.`);
      return { client: createDemoClient(ready()), ready, isOurs: false };
    }
    own = new Stack(settings, new Progress(), onRefused);
    return { client: createDemoClient(await own.start()), ready, isOurs: true };
  };
  return {
    opened: open(),
    close: async () => own?.stop(),
  };
}

/** A supervisor that was killed leaves its ready.json behind; only an answer counts. */
async function isRunning(found: Ready | undefined): Promise<boolean> {
  if (found === undefined) return false;
  try {
    const { statusCode, body } = await request(`${found.api}/readyz`, {
      signal: AbortSignal.timeout(5_000),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    // Refused or silent: nothing runs there, and a start of our own says more if something does.
    return false;
  }
}
