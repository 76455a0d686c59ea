/**
 * A second gateway on a stack, which has new intents sent first as a local activity. It shares all else
 * with the stack's own: database, Temporal, worker, provider, the secret that identities are found by.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keepCredentials } from '../local/credentials';
import { databaseUrl } from '../local/postgres-database';
import { choosePorts, LOOPBACK } from '../local/ports';
import { DIST } from '../local/project-root';
import { type RunningStack } from '../local/ready';
import { type ReferenceProcess } from './reference-process';

const READY_WITHIN_MS = 30_000;

/** Starts it and waits until it finds everything it needs. */
export async function startSecondGateway(stack: RunningStack): Promise<ReferenceProcess> {
  const [port = 0] = await choosePorts([{ variable: 'PORT', port: 0 }]);
  const child = spawn(process.execPath, [join(DIST, 'api', 'main.js')], {
    env: { ...process.env, ...environmentOf(stack), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  const end = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || Date.now() > end) {
      throw new Error('the second gateway did not become ready');
    }
    await delay(30);
  }
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function environmentOf({ ready, dataDirectory }: RunningStack): Readonly<Record<string, string>> {
  const { passwords, keyDigestSecret } = keepCredentials(dataDirectory);
  return {
    HOST: LOOPBACK,
    DATABASE_URL: databaseUrl('resolute_api', passwords.api, Number(new URL(ready.database).port)),
    TEMPORAL_ADDRESS: ready.temporal.address,
    RESOLUTE_SIMULATOR_URL: ready.simulator,
    RESOLUTE_KEY_DIGEST_SECRET: keyDigestSecret,
    RESOLUTE_FIRST_SEND: 'local-activity',
  };
}

async function isReady(port: number): Promise<boolean> {
  // Refused or reset: not ready yet.
  const answer = await fetch(`http://${LOOPBACK}:${port}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
