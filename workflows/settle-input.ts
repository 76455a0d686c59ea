/** What `settleIntent` is started with: no parameters of the caller, nothing personal. */
import { type Policy, type ProviderContract } from '../domain/contract';

/** The input of one settlement; the same again after continue-as-new or a restart. */
export interface SettleInput {
  readonly intentId: string;
  readonly tenant: string;
  readonly operation: string;
  readonly provider: string;
  /**
   * For the operators' texts, formatted with the currency's ISO 4217 exponent: `10.00 EUR`,
   * `7.00 EUR of <charge>`; null without money.
   */
  readonly money: string | null;
  /** Snapshots: a changed default never changes a replay. */
  readonly contract: ProviderContract;
  readonly policy: Policy;
}

/** What it is about, for the operators' texts: the operation, with the money if there is any. */
export function subjectOf({ operation, money }: SettleInput): string {
  return money === null ? operation : `${operation} ${money}`;
}
