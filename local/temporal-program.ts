/** The Temporal dev server as one program of the stack, and what its namespace must know. */
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quietEnvironment } from './environment';
import { LOOPBACK } from './ports';
import { runOrFail, runToEnd } from './run-to-end';
import type { Program } from './supervised-program';

export interface TemporalServer {
  readonly cli: string;
  readonly databaseFile: string;
  readonly port: number;
  readonly uiPort: number;
}

export const NAMESPACE = 'default';

/** How long closed workflows stay readable in the Web UI; PostgreSQL keeps the truth for longer. */
const RETENTION = '720h';

const SEARCH_ATTRIBUTES = {
  IntentStatus: 'Keyword',
  IntentTenant: 'Keyword',
  IntentOperation: 'Keyword',
  IntentProvider: 'Keyword',
  IntentAttention: 'Keyword',
  IntentUnknownSince: 'Datetime',
};

const DYNAMIC_CONFIG = {
  // Longer than the UI's own 30 s, so that an update nobody answers is not shown as successful.
  'history.longPollExpirationInterval': '"35s"',
  // A frozen worker is handed tasks as long as its questions for work are open; a minute by default.
  'matching.longPollExpirationInterval': '"10s"',
  // Takes bulk terminate, cancel and reset out of the operators' hands.
  'frontend.enableBatcher': 'false',
  // Timers fire when they are due; by default up to a second later, which a look-up would wait.
  'history.timerProcessorMaxTimeShift': '"50ms"',
  // One partition is enough for one machine, and saves a hop for each task.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // A search attribute that was just added can be used at once.
  'system.forceSearchAttributesCacheRefreshOnRead': 'true',
  // SQL stores cut longer ids off, whatever the default limit says.
  'limit.maxIDLength': '255',
  // The auditor may restart a terminated run without waiting.
  'history.workflowIdReuseMinimalInterval': '"0s"',
};

export function temporalProgram(server: TemporalServer): Program {
  mkdirSync(dirname(server.databaseFile), { recursive: true });
  return {
    name: 'temporal',
    command: {
      file: server.cli,
      args: serverArguments(server),
      environment: quietEnvironment({}),
    },
    stopSignal: 'SIGTERM',
    untilReady: (_child, life) => untilHealthy(server, life),
  };
}

function serverArguments({ databaseFile, port, uiPort }: TemporalServer): string[] {
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)],
    ...['--ui-port', String(uiPort), '--ui-disable-news-fetch', '--log-level', 'warn'],
    ...['--db-filename', databaseFile],
    // As fast as it gets with every commit on disk.
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'],
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, json]) => [
      '--dynamic-config-value',
      `${key}=${json}`,
    ]),
  ];
}

/** A cheap connection first: the CLI's own check costs 40 ms of processor time. */
async function untilHealthy(server: TemporalServer, signal: AbortSignal): Promise<void> {
  for (;;) {
    if (await accepts(server.port)) {
      const check = operator(server, ['cluster', 'health']);
      if ((await runToEnd(check, signal)).code === 0) return;
    }
    await delay(30, undefined, { signal });
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * At every start: the dev server's own flags for these do nothing on an existing database file, and
 * both commands are harmless when repeated.
 */
export async function ensureNamespace(server: TemporalServer, signal: AbortSignal): Promise<void> {
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    ...['--name', name, '--type', type],
  ]);
  await Promise.all([
    runOrFail(
      'Adding search attributes',
      operator(server, ['search-attribute', 'create', ...attributes]),
      signal,
    ),
    runOrFail(
      "Setting the namespace's retention",
      operator(server, ['namespace', 'update', '-n', NAMESPACE, '--retention', RETENTION]),
      signal,
    ),
  ]);
}

function operator({ cli, port }: TemporalServer, command: readonly string[]) {
  // A person's own connection settings for another server must not count here.
  const hermetic = ['--disable-config-file', '--disable-config-env'];
  return {
    file: cli,
    args: ['operator', ...command, '--address', `${LOOPBACK}:${port}`, ...hermetic],
    environment: quietEnvironment({}),
  };
}
