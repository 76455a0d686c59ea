/** A reference's process: forked with its settings, ready when it says so, gone when we are. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReferenceProcess {
  readonly pid: number;
  /** Of its HTTP server; 0 where it has none. */
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** Starts `references/<script>.js` and waits until it is ready. */
export async function startReference(
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<ReferenceProcess> {
  const child = fork(join(__dirname, 'references', `${script}.js`), {
    env: { ...process.env, ...environment },
  });
  const exit = once(child, 'exit');
  const early = exit.then(([code]) => {
    throw new Error(`${script} ended with code ${String(code)} before it was ready`);
  });
  // Handled by the race below; an end after that is no news.
  early.catch(() => undefined);
  const late = delay(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${script} was not ready in time`);
  });
  late.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), early, late])) as [Port];
  return {
    pid: child.pid ?? 0,
    port: message.port,
    stop: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

interface Port {
  readonly port: number;
}
