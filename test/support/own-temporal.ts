/** A Temporal server beside the shared one, for what can only be set for a whole server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Connection } from '@temporalio/client';
import { quietEnvironment } from '../../local/environment';
import { SHARED_CACHE } from '../../local/project-root';
import { findTemporalCli } from '../../local/temporal-server';
import { freePort } from './free-port';
import { until } from './until';
import { own } from './own-child';

/** Where it listens, and how it ends. */
export interface OwnTemporal {
  readonly address: string;
  close(): Promise<void>;
}

/** Starts one that suggests to continue as new from `events` on; by default that is 4,096. */
export async function temporalThatSuggestsAfter(events: number): Promise<OwnTemporal> {
  const cli = await findTemporalCli({ cacheDirectory: SHARED_CACHE });
  const port = await freePort();
  const settings = [
    `limit.historyCount.suggestContinueAsNew=${events}`,
    'history.timerProcessorMaxTimeShift="50ms"',
    'system.forceSearchAttributesCacheRefreshOnRead=true',
  ];
  const child = own(
    spawn(
      cli,
      [
        ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)],
        ...['--log-level', 'error'],
        ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
      ],
      { stdio: ['ignore', 'ignore', 'inherit'], env: quietEnvironment({}) },
    ),
  );
  const address = `127.0.0.1:${port}`;
  await until('the server of its own answers', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      await (await Connection.connect({ address, connectTimeout: 500 })).close();
      return true;
    } catch {
      // Not there yet.
      return undefined;
    }
  });
  return {
    address,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
