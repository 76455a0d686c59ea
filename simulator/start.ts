// Puts a simulator together: state from disk, overdue landings, then both listeners.

import { createAdministration } from './administration';
import { type Configuration, ConfigurationError } from './configuration';
import { createFace } from './face';
import { CorruptJournal } from './journal';
import { resumeLandings } from './land';
import { Listener } from './listener';
import { Notifier } from './notifier';
import { type Simulator } from './simulator';
import { Store } from './store';

/** A simulator that answers on both ports. */
interface RunningSimulator {
  readonly port: number;
  readonly adminPort: number;
  /** Drops every connection and stops; what is under way lands after the next start. */
  stop(): Promise<void>;
}

/** Throws `ConfigurationError` when a port is taken or the data directory cannot be used. */
export async function startSimulator(configuration: Configuration): Promise<RunningSimulator> {
  const { host, contracts } = configuration;
  const store = openStore(configuration.dataDir);
  const simulator: Simulator = {
    contracts,
    store,
    notifier: new Notifier(configuration, { contracts, store }),
  };
  const app = createFace(simulator);
  const face = new Listener(app, { host, port: configuration.port, variable: 'PORT' });
  const administrationApp = createAdministration(simulator, face);
  const administration = new Listener(administrationApp, {
    host,
    port: configuration.adminPort,
    variable: 'RESOLUTE_SIMULATOR_ADMIN_PORT',
  });
  await Promise.all([app.ready(), administrationApp.ready()]);
  const stop = async (): Promise<void> => {
    await Promise.all([face.close(), administration.close()]);
    store.close();
  };
  try {
    await face.open();
    await administration.open();
  } catch (error) {
    await stop();
    throw error;
  }
  resumeLandings(simulator);
  // Opened all the same, so that the port is known and can be had again later.
  if (!store.settings.listening) await face.close();
  return { port: face.port, adminPort: administration.port, stop };
}

function openStore(dataDir: string): Store {
  try {
    return new Store(dataDir);
  } catch (error) {
    const variable = 'RESOLUTE_SIMULATOR_DATA_DIR';
    if (error instanceof CorruptJournal) throw new ConfigurationError(variable, error.message);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigurationError(variable, `${dataDir} cannot be used (${code})`);
  }
}
