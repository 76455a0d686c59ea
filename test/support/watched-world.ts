/**
 * A gateway and a worker of their own, as built, over a fresh database and namespace: what they count
 * begins at nothing, and nobody else's requests are in it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DIST } from '../../local/project-root';
import { freshWorld } from './fresh-world';
import { QUICK_CONTRACTS } from './quick-contracts';
import { resoluteJson } from './resolute';
import { freePort } from './free-port';
import { sharedStack } from './shared-stack';
import { until } from './until';
import { own } from './own-child';

/** A line of a log, as far as it is used here. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Starts both; `collector` is where their traces go. */
export async function watchedWorld(collector: string) {
  const { ready } = sharedStack();
  const world = await freshWorld();
  const namespace = world.client.options.namespace;
  const api = `http://127.0.0.1:${await freePort()}`;
  const common = {
    PATH: process.env['PATH'],
    TEMPORAL_ADDRESS: ready.temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    RESOLUTE_SIMULATOR_URL: ready.simulator,
    RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(QUICK_CONTRACTS),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const gateway = run('api/main.js', {
    ...common,
    DATABASE_URL: world.database.apiUrl,
    PORT: new URL(api).port,
    RESOLUTE_KEY_DIGEST_SECRET: randomBytes(32).toString('hex'),
    RESOLUTE_LOG_LEVEL: 'debug',
  });
  const worker = run('workers/main.js', {
    ...common,
    DATABASE_URL: world.database.workerUrl,
    RESOLUTE_METRICS_PORT: '0',
  });
  const lineOf = (program: Program, text: string) =>
    until(`a line "${text}"`, () => program.lines.find(({ msg }) => msg === text), 60_000);
  const [at] = await Promise.all([lineOf(worker, 'worker ready'), lineOf(gateway, 'api ready')]);
  const { token } = await resoluteJson<{ token: string }>(
    world.database.ownerUrl,
    ...[
      'token',
      'create',
      '--tenant',
      'acme',
      '--actor',
      'meter',
      '--scopes',
      'charge,read,cancel',
    ],
  );
  return {
    ...world,
    api,
    token,
    apiMetrics: `${api}/metrics`,
    workerMetrics: `http://127.0.0.1:${String(at['metrics'])}/metrics`,
    sdkMetrics: `http://${String(at['sdk_metrics'])}/metrics`,
    logs: { gateway: gateway.lines, worker: worker.lines },
    async close(): Promise<void> {
      await Promise.all([gateway, worker].map(({ child }) => end(child)));
      await world.close();
    },
  };
}

interface Program {
  readonly child: ChildProcess;
  readonly lines: readonly LogLine[];
}

function run(script: string, env: NodeJS.ProcessEnv): Program {
  const child = own(
    spawn(process.execPath, [join(DIST, script)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const lines: LogLine[] = [];
  createInterface(child.stdout).on('line', (line) => {
    // Whoever writes something else than JSON lines is found here.
    lines.push(JSON.parse(line) as LogLine);
  });
  return { child, lines };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
