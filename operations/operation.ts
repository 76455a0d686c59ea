/**
 * What an operation is: one kind of effect a caller may ask for. A new operation is one file like
 * `payment-charge.ts` and one line in `registry.ts`.
 */
import { type z } from 'zod';
import { type Command, type CommandKind } from '../domain/command';
import { type Policy } from '../domain/contract';
import { type Scope } from '../domain/scope';

/** Money of an intent, for display and for the search by amount. */
interface Money {
  /** Integer minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A registered operation; `Params` is what its schema yields, defaults applied. */
export interface Operation<Params = Record<string, unknown>> {
  readonly name: string;
  readonly version: number;
  readonly scope: Scope;
  readonly commandKind: CommandKind;
  /** Strict: unknown members are refused. */
  readonly schema: z.ZodType<Params>;
  /** The members that make two requests the same intent, in the fingerprint of this version. */
  readonly fingerprintFields: readonly string[];
  readonly policy: Policy;
  /** Providers without a safe path out of unknown that this operation accepts all the same. */
  readonly reviewByDesign: readonly string[];
  businessKey(params: Params): string;
  /** Null where the effect is not about money. */
  money(params: Params): Money | null;
  /** The provider that the caller names; null where the tenant's default applies. */
  provider(params: Params): string | null;
  command(params: Params): Command;
}
