#!/usr/bin/env node
/**
 * `node dist/cli/main.js`: who may use the gateway, and whose data goes. Works as the owner of the
 * tables (DATABASE_URL). Exit codes: 0 done, 1 refused, 78 not configured.
 */
import { ConfigurationError, EXIT_CONFIGURATION, required } from '../config/environment';
import { createPool } from '../store/pool';
import { createProgram } from './program';
import { Refusal } from './refusal';

async function main(): Promise<void> {
  const program = createProgram({
    write: (text) => process.stdout.write(text),
    withStore: async (work) => {
      const url = required(process.env, 'DATABASE_URL');
      const pool = createPool({ url, name: 'resolute-cli', size: 1, onIdleError: () => undefined });
      try {
        return await work(pool);
      } finally {
        await pool.end();
      }
    },
  });
  await program.parseAsync();
}

main().catch((error: unknown) => {
  const isKnown = error instanceof Refusal || error instanceof ConfigurationError;
  // A fault of the store or of ours: its message, never its values.
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isKnown ? message : `Failed: ${message}`}\n`);
  process.exitCode = error instanceof ConfigurationError ? EXIT_CONFIGURATION : 1;
});
