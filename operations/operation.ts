/**
 * What an operation is: one kind of effect a caller may ask for. A new operation is one file like
 * `payment-charge.ts` and one line in `registry.ts`.
 */
import { type z } from 'zod';
import { type Command, type CommandKind } from '../domain/command';
import { type Policy } from '../domain/contract';
import { type Scope } from '../domain/scope';

/** Money of an intent, for display and for the search by amount. */
export interface Money {
  /** Integer minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** What an operation's command and money depend on of the intent that it draws on. */
export interface DrawnOn {
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's own id of that intent's effect. */
  readonly providerId: string;
}

/**
 * Declared by an operation that takes back from an earlier intent (a refund from its charge). The
 * gateway finds that intent and asks whether it may be drawn on; the store holds that all draws on it,
 * pending and unknown ones included, never exceed its amount. Provider, account and currency are its.
 */
export interface Draws<Params> {
  /** Kind of the command that the intent drawn on must have had; any other is not found. */
  readonly on: CommandKind;
  /** Id of that intent. */
  intent(params: Params): string;
  /** Problem where more is asked for than is left; its text. `rest` is written with the currency. */
  readonly exceeded: { readonly problem: 'refund-exceeds-charge'; detail(rest: string): string };
  /** Problem where nothing may be drawn; `why` is a clause such as "it is pending". */
  readonly refused: { readonly problem: 'charge-not-refundable'; detail(why: string): string };
}

/**
 * A registered operation; `Params` is what its schema yields, defaults applied. `Name` tells the typed
 * client which parameters belong to which name.
 */
export interface Operation<Params = Record<string, unknown>, Name extends string = string> {
  readonly name: Name;
  readonly version: number;
  /** For the published document: what it does, in a few words. */
  readonly summary: string;
  readonly scope: Scope;
  readonly commandKind: CommandKind;
  /** Strict: unknown members are refused. */
  readonly schema: z.ZodType<Params>;
  /** The members that make two requests the same intent, in the fingerprint of this version. */
  readonly fingerprintFields: readonly string[];
  /** Valid parameters, as the document shows them. */
  readonly example: Params;
  readonly policy: Policy;
  /**
   * Days after the outcome until parameters and idempotency key are purged, at least 30: the longest
   * way on which an honest repeat, or the payer's question, may still come. Published in docs/api.md.
   */
  readonly retentionDays: number;
  /** Providers without a safe path out of unknown that this operation accepts all the same. */
  readonly reviewByDesign: readonly string[];
  /** Absent where the operation stands alone. */
  readonly draws?: Draws<Params>;
  /** Taken once per tenant; of an operation that draws, once per intent drawn on. */
  businessKey(params: Params): string;
  /** Null where the effect is not about money; `drawnOn` is null where the operation stands alone. */
  money(params: Params, drawnOn: DrawnOn | null): Money | null;
  /**
   * The provider that the caller names; null where the tenant's default applies. A default serves
   * payments: the schema of any other operation requires the member, or the published document would
   * promise to take what is then refused.
   */
  provider(params: Params): string | null;
  command(params: Params, drawnOn: DrawnOn | null): Command;
}

/** What a recorded intent says of the one that it draws on. */
export interface RecordedDraw {
  readonly currency: string | null;
  readonly drawsOnProviderId: string | null;
}

/** The same from the intent's own row: it has taken the currency over. Null where it stands alone. */
export function drawnOnBy({ currency, drawsOnProviderId }: RecordedDraw): DrawnOn | null {
  if (drawsOnProviderId === null || currency === null) return null;
  return { currency, providerId: drawsOnProviderId };
}
