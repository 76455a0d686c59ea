/**
 * Build step: bundles the workflows once, so that a worker starts in a second instead of five and
 * every worker of a release runs the very same code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Where the build puts the bundle and where the worker reads it. */
export const BUNDLE_PATH = join(__dirname, '..', 'workflows', 'bundle.generated.js');

async function main(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    workflowInterceptorModules: [require.resolve('../workflows/carry-trace')],
  });
  writeFileSync(BUNDLE_PATH, code);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  });
}
