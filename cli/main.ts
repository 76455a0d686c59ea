#!/usr/bin/env node
/**
 * `node dist/cli/main.js`: operators decide through the gateway (RESOLUTE_API_URL and their own
 * RESOLUTE_OPERATOR_TOKEN), administration works as the owner of the tables (DATABASE_URL). Exit codes
 * are in `exit-codes.ts`; 78 is a variable that is missing or malformed.
 */
import { ConfigurationError, EXIT_CONFIGURATION, required } from '../config/environment';
import { createPool } from '../store/pool';
import { openGateway } from './desk/gateway';
import { createProgram } from './program';
import { Refusal } from './refusal';

async function main(): Promise<void> {
  const program = createProgram({
    write: (text) => process.stdout.write(text),
    tell: (text) => process.stderr.write(text),
    endWith: (code) => {
      process.exitCode = code;
    },
    gateway: () => openGateway(process.env),
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
  process.exitCode = exitCodeOf(error);
});

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigurationError) return EXIT_CONFIGURATION;
  return error instanceof Refusal ? error.exitCode : 1;
}
