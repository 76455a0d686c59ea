/** `node dist/workers/main.js`: the worker process. */
import { ConfigurationError, EXIT_CONFIGURATION } from '../config/environment';
import { runWorkerProcess } from './run';

runWorkerProcess(process.env).catch((error: unknown) => {
  const expected = error instanceof ConfigurationError;
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? 'worker failed'}\n`);
  process.exit(expected ? EXIT_CONFIGURATION : 1);
});
