/**
 * The simulator's providers. RESOLUTE_SIMULATOR_CONTRACT may take every way out of unknown from any of
 * them, to try what a person then meets; so each operation that they serve accepts review by design on
 * all of them. No real provider belongs here: an operation accepts one by its own name.
 */

/** Those that move money. */
export const TRIAL_PAYMENT_PROVIDERS = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const;

/** Those that bring messages. */
export const TRIAL_MESSAGE_PROVIDERS = ['sim-mail', 'sim-fax'] as const;
