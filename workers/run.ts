/** The worker process: composition only; everything else is elsewhere. */
import { hostname } from 'node:os';
import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { type Dependencies } from '../activities/dependencies';
import { optional, port, required, timeOfDay } from '../config/environment';
import { createOperations } from '../operations/registry';
import { createProviders } from '../providers/registry';
import { observeCommits } from '../store/observe-commits';
import { createPool } from '../store/pool';
import { createLogger } from '../telemetry/logger';
import { type MetricsAddress, portForSdk, serveMetrics } from '../telemetry/metrics-server';
import { traceStatements } from '../telemetry/trace-statements';
import { startTracing } from '../telemetry/tracing';
import { createWorkerMetrics } from '../telemetry/worker-metrics';
import { BUNDLE_PATH } from './bundle';
import { checkAccounts } from './check-accounts';
import { ensureRetention } from './retention';
import { ensureStandingRuns, keepStandingRuns } from './standing-runs';
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
  const logger = createLogger({
    program: 'worker',
    level: optional(env, 'RESOLUTE_LOG_LEVEL', 'info'),
  });
  const metricsAt = metricsAddress(env);
  const tracing = startTracing(env, 'worker');
  const retentionAt = timeOfDay(env, 'RESOLUTE_RETENTION_AT', '03:00');
  const providers = createProviders(env);
  await checkAccounts(providers, logger);
  const operations = createOperations(providers.values());
  const pool = createPool({
    url: required(env, 'DATABASE_URL'),
    name: 'resolute-worker',
    onIdleError: (error) => logger.warn({ error: error.message }, 'a database connection broke'),
  });
  const metrics = createWorkerMetrics([...providers.keys()]);
  observeCommits(pool, metrics.committed);
  if (tracing !== null) traceStatements(pool, tracing.tracer);
  const served = metricsAt === null ? null : await serveMetrics(metrics.registry, metricsAt);
  const sdkMetrics = metricsAt === null ? undefined : await sdkMetricsAt(metricsAt);
  Runtime.install({
    logger: createTemporalLogger(logger),
    telemetryOptions: { logging: SDK_LOGGING, ...(sdkMetrics && { metrics: sdkMetrics }) },
  });
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await NativeConnection.connect(connectionOptions);
  const client = new Client({ connection, namespace });
  const owner = `${hostname()}/${process.pid}`;
  const workers = await createWorkers({
    connection,
    namespace,
    bundlePath: BUNDLE_PATH,
    dependencies: { pool, providers, operations, client, metrics, owner, probe },
    tracer: tracing?.tracer,
  });
  // Before any work is taken: where one of them is refused, nothing is under way that the end of this
  // process would cut off.
  const standing = { client, providers, logger };
  await ensureStandingRuns(standing);
  await ensureRetention(client, retentionAt);
  const running = runWorkers(workers);
  const stopped = new AbortController();
  const kept = keepStandingRuns(standing, stopped.signal);
  const at = { metrics: served?.port, sdk_metrics: sdkMetrics?.prometheus.bindAddress };
  logger.info({ providers: [...providers.keys()], ...at }, 'worker ready');
  await running.finally(() => stopped.abort());
  await kept;
  await Promise.all([...providers.values()].map((provider) => provider.close()));
  await pool.end();
  await connection.close();
  served?.close();
  await tracing?.close();
}

/** The core's own lines go through our logger too, instead of straight to the console. */
const SDK_LOGGING = {
  filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
  forward: {},
};

/** Null: metrics are off. */
function metricsAddress(env: NodeJS.ProcessEnv): MetricsAddress | null {
  if (optional(env, 'RESOLUTE_METRICS_PORT', '') === '') return null;
  const host = optional(env, 'HOST', '127.0.0.1');
  return { host, port: port(env, 'RESOLUTE_METRICS_PORT', 0) };
}

async function sdkMetricsAt(address: MetricsAddress) {
  const bindAddress = `${address.host}:${await portForSdk(address)}`;
  return {
    prometheus: {
      bindAddress,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
    },
  };
}
