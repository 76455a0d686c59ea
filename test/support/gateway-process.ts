/** A gateway process of a suite's own world: the built program on a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DIST } from '../../local/project-root';
import { type World } from './fresh-world';
import { QUICK_CONTRACTS } from './quick-contracts';
import { sharedStack } from './shared-stack';
import { own } from './own-child';

/** Its address, and its end. */
export interface GatewayProcess {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Gateways of one deployment share it: identities are found by it. */
const KEY_DIGEST_SECRET = '07'.repeat(32);

/** Starts one; `environment` changes what it is told. */
export async function gatewayProcess(
  { database, namespace }: World,
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const { ready } = sharedStack();
  const child = own(
    spawn(process.execPath, [join(DIST, 'api', 'main.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: '0',
        DATABASE_URL: database.apiUrl,
        TEMPORAL_ADDRESS: ready.temporal.address,
        TEMPORAL_NAMESPACE: namespace,
        RESOLUTE_SIMULATOR_URL: ready.simulator,
        RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(QUICK_CONTRACTS),
        RESOLUTE_KEY_DIGEST_SECRET: KEY_DIGEST_SECRET,
        ...environment,
      },
    }),
  );
  const url = await new Promise<string>((resolve, reject) => {
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const [, address] = /Server listening at (http:\/\/127[^"]+)/.exec(log) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`the gateway ended before it listened: ${log}`)));
  });
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A token of the world's tenant `acme` with every scope. */
export async function acmeToken({ database }: World): Promise<string> {
  const token = 'token-of-acme-in-a-world-of-its-own';
  await database.owner.query(
    `insert into api_keys (token_digest, tenant, actor, scopes)
     values (sha256(convert_to($1, 'UTF8')), 'acme', 'acme', '{charge,refund,read,cancel}')`,
    [token],
  );
  return token;
}
