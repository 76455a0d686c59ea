/**
 * A Temporal server of its own whose batch operations are switched on: those of the stack have them off,
 * and whoever runs another one may not. In memory; it ends with `close`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { PROJECT_ROOT } from '../../local/project-root';
import { findTemporalCli } from '../../local/temporal-server';
import { freePort } from './free-port';
import { until } from './until';
import { own } from './own-child';

const SETTINGS = {
  'frontend.enableBatcher': 'true',
  'history.workflowIdReuseMinimalInterval': '"0s"',
  'system.forceSearchAttributesCacheRefreshOnRead': 'true',
  // The server's own worker, which does the batches, notices a namespace that was just made.
  'worker.perNamespaceWorkerStartRate': '100.0',
};

/** Starts it. */
export async function batchingServer() {
  const cli = await findTemporalCli({ cacheDirectory: join(PROJECT_ROOT, '.resolute', 'cache') });
  const port = String(await freePort());
  const settings = Object.entries(SETTINGS).flatMap(([key, json]) => [
    '--dynamic-config-value',
    `${key}=${json}`,
  ]);
  const child = own(
    spawn(
      cli,
      ['server', 'start-dev', '--headless', '--port', port, '--log-level', 'error', ...settings],
      { stdio: 'ignore' },
    ),
  );
  const address = `127.0.0.1:${port}`;
  await until('the server answers', async () => {
    const connection = await Connection.connect({ address }).catch(() => undefined);
    await connection?.close();
    return connection && true;
  });
  return {
    address,
    async close(): Promise<void> {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
