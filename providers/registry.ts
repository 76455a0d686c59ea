/**
 * The registered providers: one line each. Which of them exist follows from the environment, and none
 * is registered under a contract that could not be kept: every program refuses to start instead.
 */
import { ConfigurationError } from '../config/environment';
import { contractFaults } from './contract-faults';
import { type NotificationSecrets } from './notification-secrets';
import { type Provider, type Registration } from './provider';
import { simulator } from './simulator/simulator';
import { simulatorMessages } from './simulator/messages';
import { stripe } from './stripe/stripe';

const REGISTERED: readonly Registration[] = [simulator, simulatorMessages, stripe];

/** Providers by name. */
export type Providers = ReadonlyMap<string, Provider>;

/**
 * Opens every provider that is configured; one without secrets takes no notifications. Throws
 * ConfigurationError with a line for each fault.
 */
export function createProviders(
  env: NodeJS.ProcessEnv,
  secrets: NotificationSecrets = {},
  registered: readonly Registration[] = REGISTERED,
): Providers {
  const opened = registered.map((registration) => ({
    registration,
    providers: registration.create(env, secrets),
  }));
  const faults = opened.flatMap(({ registration, providers }) =>
    providers.flatMap((provider) => faultsOf(provider, registration)),
  );
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  const all = opened.flatMap(({ providers }) => providers);
  const byName = new Map(all.map((provider) => [provider.name, provider]));
  if (byName.size < all.length) {
    throw new ConfigurationError('Two providers are registered under one name.');
  }
  return byName;
}

/** All that can be registered, whatever this environment configures: for the generated pages. */
export function describedProviders(): readonly Provider[] {
  return REGISTERED.flatMap((registration) => registration.create(registration.example, {}));
}

function faultsOf({ name, contracts }: Provider, { contractsFrom }: Registration): string[] {
  const origin = contractsFrom === null ? '' : `${contractsFrom}: `;
  return Object.entries(contracts).flatMap(([kind, contract]) =>
    contractFaults(contract).map((fault) => `${origin}${name}, ${kind}: ${fault}`),
  );
}
