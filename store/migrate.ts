/** `node dist/store/migrate.js`: brings the database up to this release and ends. */
import { ConfigurationError, EXIT_CONFIGURATION, required } from '../config/environment';
import { migrate, NewerDatabaseError } from './migrations';

async function main(): Promise<void> {
  const applied = await migrate(required(process.env, 'DATABASE_URL'), {
    api: required(process.env, 'RESOLUTE_API_PASSWORD'),
    worker: required(process.env, 'RESOLUTE_WORKER_PASSWORD'),
  });
  process.stdout.write(`${JSON.stringify({ msg: 'migrated', applied })}\n`);
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigurationError || error instanceof NewerDatabaseError;
  const message = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${message ?? 'migration failed'}\n`);
  process.exitCode = expected ? EXIT_CONFIGURATION : 1;
});
