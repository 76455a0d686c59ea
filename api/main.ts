/** `node dist/api/main.js`: the gateway process. Composition, listening, signals. */
import { ConfigurationError, EXIT_CONFIGURATION } from '../config/environment';
import { createOperations } from '../operations/registry';
import { readNotificationSecrets } from '../providers/notification-secrets';
import { createProviders } from '../providers/registry';
import { observeCommits } from '../store/observe-commits';
import { createPool } from '../store/pool';
import { whoCanReadOn } from '../store/read-events';
import { createGatewayMetrics } from '../telemetry/gateway-metrics';
import { createLogger } from '../telemetry/logger';
import { traceRequests } from '../telemetry/trace-requests';
import { traceStatements } from '../telemetry/trace-statements';
import { startTracing } from '../telemetry/tracing';
import { readConfiguration } from './configuration';
import { EventWaiters } from './event-waiters';
import { createFingerprints } from './fingerprint';
import { createRateLimit } from './rate-limit';
import { lookUpAsker } from './look-up-now';
import { readerTeller } from './look-up-on-read';
import { createServer } from './server';
import { wakeOnNotices } from './settled-notices';
import { workflowStarter, workflowWaker } from './start-workflow';
import { linkTemporal } from './temporal';
import { Waiters } from './waiters';

/** A store that does not answer is 503 within two seconds, connecting or asking. */
const STORE_PATIENCE_MS = { statement: 1_400, answer: 1_600 };

/** The process ends after this time whatever is still open. */
const CLOSE_WITHIN_MS = 4_500;

async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const { databaseUrl, keyDigestSecret, deskUrl, host, port, limits } = configuration;
  const log = createLogger({ program: 'api', level: configuration.logLevel });
  const tracing = startTracing(process.env, 'api');
  const providers = createProviders(process.env, readNotificationSecrets(process.env));
  const operations = createOperations(providers.values());
  const temporal = linkTemporal(tracing !== null);
  const metrics = createGatewayMetrics([...providers.keys()]);
  const waiters = new Waiters(limits.mostWaiting, (milliseconds) =>
    metrics.waitSeconds.observe(milliseconds / 1_000),
  );
  const db = createPool({
    url: databaseUrl,
    name: 'resolute-api',
    patienceMs: STORE_PATIENCE_MS,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  observeCommits(db, metrics.committed);
  if (tracing !== null) traceStatements(db, tracing.tracer);
  const eventWaiters = new EventWaiters({
    whoCanReadOn: (readers) => whoCanReadOn(db, readers),
    onError: (error) => log.warn({ err: error }, 'waiting readers were not looked after'),
  });
  const startWorkflow = workflowStarter(temporal.client, log, configuration.firstSend);
  const server = createServer(
    {
      db,
      operations,
      providers,
      waiters,
      metrics,
      eventWaiters,
      fingerprints: createFingerprints(keyDigestSecret),
      rateLimit: createRateLimit(limits.requestsPerSecond),
      keyDigestSecret,
      deskUrl,
      startWorkflow,
      wakeWorkflow: workflowWaker(temporal.client, log),
      lookUpNow: lookUpAsker(temporal.client),
      intentWasRead: readerTeller(temporal.client, log),
      surroundings: () => temporal.surroundings(),
      isTemporalReachable: () => temporal.isReachable(),
      now: () => new Date(),
    },
    log,
    limits,
  );
  if (tracing !== null) traceRequests(server, tracing.tracer);
  const notices = wakeOnNotices({ databaseUrl, db, waiters, eventWaiters, log });

  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
    // Callers who wait are answered with the present state; their repeats join the wait again.
    waiters.close();
    eventWaiters.close();
    await server.close();
    await Promise.allSettled([notices.close(), db.end(), temporal.close(), tracing?.close()]);
    await Promise.allSettled([...providers.values()].map((provider) => provider.close()));
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());

  await listen(server, { host, port });
  log.info({ operations: [...operations.keys()], providers: [...providers.keys()] }, 'api ready');
}

async function listen(
  server: ReturnType<typeof createServer>,
  address: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await server.listen(address);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const { host, port } = address;
    throw new ConfigurationError(`PORT ${port} on ${host} cannot be used: ${String(error.code)}.`);
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigurationError;
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? 'api failed'}\n`);
  process.exit(expected ? EXIT_CONFIGURATION : 1);
});
