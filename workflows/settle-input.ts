/** What `settleIntent` is started with: no parameters of the caller, nothing personal. */
import { type Policy, type ProviderContract } from '../domain/contract';

/**
 * How the first attempt is sent; every later one is an activity.
 * - `activity`: on the provider's task queue, which can be paused and limited by itself; the Web UI shows
 *   it while it is pending, and the history has its input
 * - `local-activity`: in the workflow task, by the worker that has the run. Two round trips to Temporal
 *   less, and nothing of the above
 *
 * Both pass the same permit, so neither sends twice (INV-2), however often Temporal has it run.
 */
export const FIRST_SENDS = ['activity', 'local-activity'] as const;
export type FirstSend = (typeof FIRST_SENDS)[number];

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
  /** Absent: as an activity. */
  readonly firstSend?: 'local-activity';
}

/** What it is about, for the operators' texts: the operation, with the money if there is any. */
export function subjectOf({ operation, money }: SettleInput): string {
  return money === null ? operation : `${operation} ${money}`;
}
