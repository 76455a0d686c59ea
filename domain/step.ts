/** What happens next, as a value: the vocabulary that rules, activities and workflow share. */
import { type Policy, type ProviderContract } from './contract';
import { type Effect, type Journal } from './journal';
import { type Outcome } from './status';

/**
 * - `send`: open attempt `number` under the key of `generation`
 * - `look_up`: ask the provider now
 * - `wait`: nothing to do before `until`
 * - `review`: a person must decide; a look-up goes on at `lookUpAt`, if there is one to make
 * - `finish`: the outcome is proven
 */
export type Step =
  | SendStep
  | { readonly kind: 'look_up' }
  | { readonly kind: 'wait'; readonly until: number; readonly reason: string }
  | { readonly kind: 'review'; readonly reason: string; readonly lookUpAt: number | null }
  | { readonly kind: 'finish'; readonly outcome: Outcome; readonly reason: string };

/** A permission to send, as the rules grant it. */
export interface SendStep {
  readonly kind: 'send';
  readonly effect: Effect;
  readonly number: number;
  readonly generation: number;
}

/** What a decision needs besides the belief. `now`: the database's clock in milliseconds. */
export interface Situation {
  readonly journal: Journal;
  readonly contract: ProviderContract;
  readonly policy: Policy;
  readonly now: number;
}
