/**
 * What an operation is: one kind of effect a caller may ask for. A new operation is one file like
 * `payment-charge.ts` and one line in `registry.ts`.
 */
import { type z } from 'zod';
import { type Command, type CommandKind } from '../domain/command';
import { type Policy } from '../domain/contract';
import { type Scope } from './scope';

/** Money of an intent, for display and for the search by amount. */
interface Money {
  /** Integer minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
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
  businessKey(params: Params): string;
  money(params: Params): Money;
  /** The provider that the caller names; null where the tenant's default applies. */
  provider(params: Params): string | null;
  command(params: Params): Command;
}
