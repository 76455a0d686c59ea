/** `node dist/workers/main.js`: the worker process. Composition only; everything else is elsewhere. */
import { hostname } from 'node:os';
import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { type Dependencies } from '../activities/dependencies';
import { ConfigurationError, EXIT_CONFIGURATION, optional, required } from '../config/environment';
import { createOperations } from '../operations/registry';
import { createProviders } from '../providers/registry';
import { createPool } from '../store/pool';
import { ensureAuditor } from './auditor';
import { BUNDLE_PATH } from './bundle';
import { createTemporalLogger } from './temporal-logger';
import { createWorkers, runWorkers } from './worker';

async function main(): Promise<void> {
  const logger = pino({ level: optional(process.env, 'RESOLUTE_LOG_LEVEL', 'info') });
  const providers = createProviders(process.env);
  const pool = createPool({
    url: required(process.env, 'DATABASE_URL'),
    name: 'resolute-worker',
    onIdleError: (error) => logger.warn({ error: error.message }, 'a database connection broke'),
  });
  Runtime.install({ logger: createTemporalLogger(logger) });
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await NativeConnection.connect(connectionOptions);
  const client = new Client({ connection, namespace });
  const dependencies: Dependencies = {
    pool,
    providers,
    operations: createOperations(providers.values()),
    client,
    owner: `${hostname()}/${process.pid}`,
    probe: () => undefined,
  };
  const workers = await createWorkers({
    connection,
    namespace,
    bundlePath: BUNDLE_PATH,
    dependencies,
  });
  const running = runWorkers(workers);
  await ensureAuditor(client);
  logger.info({ providers: [...providers.keys()] }, 'worker ready');
  await running;
  await Promise.all([...providers.values()].map((provider) => provider.close()));
  await pool.end();
  await connection.close();
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigurationError;
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? 'worker failed'}\n`);
  process.exit(expected ? EXIT_CONFIGURATION : 1);
});
