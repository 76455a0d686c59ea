// The simulator's words, each used for one thing only.

/** The four registered providers, one per contract. */
export const PROVIDERS = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What a provider can do: three things to money, and to bring a message. */
export type EffectKind = 'charge' | 'void' | 'refund' | 'message';
/** What a client can ask: one of the effects, or a look-up of any kind. */
export type CallKind = EffectKind | 'query';
/** `voided` is said of charges only; `declined` ones are kept for look-ups but are no effects. */
export type EffectStatus = 'succeeded' | 'pending' | 'requires_action' | 'declined' | 'voided';
