/** The worker process: composition only; everything else is elsewhere. */
import { hostname } from 'node:os';
import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { type Dependencies } from '../activities/dependencies';
import { optional, required, timeOfDay } from '../config/environment';
import { createOperations } from '../operations/registry';
import { createProviders } from '../providers/registry';
import { createPool } from '../store/pool';
import { ensureAuditor } from './auditor';
import { BUNDLE_PATH } from './bundle';
import { ensureRetention } from './retention';
import { createTemporalLogger } from './temporal-logger';
import { createWorkers, runWorkers } from './worker';

/**
 * Runs until told to stop by a signal (the SDK listens for SIGINT and SIGTERM), then finishes what is
 * in flight. Throws ConfigurationError before anything is started.
 */
export async function runWorkerProcess(
  env: NodeJS.ProcessEnv,
  probe: Dependencies['probe'] = () => undefined,
): Promise<void> {
  const logger = pino({ level: optional(env, 'RESOLUTE_LOG_LEVEL', 'info') });
  const retentionAt = timeOfDay(env, 'RESOLUTE_RETENTION_AT', '03:00');
  const providers = createProviders(env);
  const operations = createOperations(providers.values());
  const pool = createPool({
    url: required(env, 'DATABASE_URL'),
    name: 'resolute-worker',
    onIdleError: (error) => logger.warn({ error: error.message }, 'a database connection broke'),
  });
  Runtime.install({ logger: createTemporalLogger(logger) });
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await NativeConnection.connect(connectionOptions);
  const client = new Client({ connection, namespace });
  const owner = `${hostname()}/${process.pid}`;
  const workers = await createWorkers({
    connection,
    namespace,
    bundlePath: BUNDLE_PATH,
    dependencies: { pool, providers, operations, client, owner, probe },
  });
  const running = runWorkers(workers);
  await ensureAuditor(client);
  await ensureRetention(client, retentionAt);
  logger.info({ providers: [...providers.keys()] }, 'worker ready');
  await running;
  await Promise.all([...providers.values()].map((provider) => provider.close()));
  await pool.end();
  await connection.close();
}
