/** The registered providers: one line each. Which of them exist follows from the environment. */
import { optional } from '../config/environment';
import { type Provider } from './provider';
import { createSimulatorProviders } from './simulator';
import { createStripeProviders } from './stripe';

/** Providers by name. */
export type Providers = ReadonlyMap<string, Provider>;

/** Opens every provider that is configured. Throws ConfigurationError. */
export function createProviders(env: NodeJS.ProcessEnv): Providers {
  const simulator = optional(env, 'RESOLUTE_SIMULATOR_URL', '');
  const overrides = optional(env, 'RESOLUTE_SIMULATOR_CONTRACT', '{}');
  const registered = [
    ...(simulator === '' ? [] : createSimulatorProviders(simulator, overrides)),
    ...createStripeProviders({
      apiKey: optional(env, 'STRIPE_API_KEY', ''),
      apiBase: optional(env, 'STRIPE_API_BASE', 'https://api.stripe.com'),
    }),
  ];
  return new Map(registered.map((provider) => [provider.name, provider]));
}
