/** The registered providers: one line each. Which of them exist follows from the environment. */
import { optional } from '../config/environment';
import { type NotificationSecrets } from './notification-secrets';
import { type Provider } from './provider';
import { createSimulatorProviders } from './simulator';

/** Providers by name. */
export type Providers = ReadonlyMap<string, Provider>;

/**
 * Opens every provider that is configured; one without secrets takes no notifications. Throws
 * ConfigurationError.
 */
export function createProviders(
  env: NodeJS.ProcessEnv,
  secrets: NotificationSecrets = {},
): Providers {
  const simulator = {
    url: optional(env, 'RESOLUTE_SIMULATOR_URL', ''),
    contractOverrides: optional(env, 'RESOLUTE_SIMULATOR_CONTRACT', '{}'),
    signingSecrets: secrets.simulator ?? '',
  };
  const registered = [...(simulator.url === '' ? [] : createSimulatorProviders(simulator))];
  return new Map(registered.map((provider) => [provider.name, provider]));
}
