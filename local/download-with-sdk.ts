/**
 * The last source of the Temporal server: `node download-with-sdk.js <directory> <version>` makes the
 * SDK download it for its own test environment and prints where it lies. Needs the open internet.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from './start-error';

async function download(directory: string, version: string): Promise<string> {
  mkdirSync(directory, { recursive: true });
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = {
    type: 'cached-download',
    downloadDir: directory,
    version: `v${version}`,
  } as const;
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
  const file = readdirSync(directory).find((name) => name.endsWith(version));
  if (file === undefined) throw new Error(`the SDK left no server in ${directory}`);
  return join(directory, file);
}

const [directory = '', version = ''] = process.argv.slice(2);
download(directory, version).then(
  (path) => console.log(path),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  },
);
