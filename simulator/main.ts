// The simulator as a process: environment in, two listeners, one JSON line at start and one at stop.

import { type Configuration, ConfigurationError, readConfiguration } from './configuration';
import { startSimulator } from './start';

/** The exit code of sysexits.h for a configuration error. */
const EXIT_CONFIGURATION = 78;

async function main(): Promise<void> {
  const configuration: Configuration = readConfiguration(process.env);
  const running = await startSimulator(configuration);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    // A terminal's SIGINT and a supervisor's SIGTERM often come together: the first one stops.
    if (stopping) return;
    stopping = true;
    void running.stop().then(() => {
      console.log(JSON.stringify({ msg: 'stopped', signal }));
      // Waits and deliveries under way would keep the process; the journal remembers them.
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { port, adminPort } = running;
  console.log(JSON.stringify({ msg: 'listening', port, admin_port: adminPort }));
}

// A parent that no longer reads our output is no reason to stop serving.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
main().catch((error: unknown) => {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exit(EXIT_CONFIGURATION);
});
