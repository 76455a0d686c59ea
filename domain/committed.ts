/**
 * What a transaction changed, told after its commit. For counting and watching only: nothing decides
 * by it, and a process that dies between the commit and the telling tells nothing.
 */
import { type Finding, type Journal, type Source } from './journal';
import { type Status } from './status';

/**
 * - `found`: a piece of evidence was recorded
 * - `moved`: an intent has another status
 * - `contradicted`: evidence against a final intent opened its discrepancy
 */
export type Committed = { readonly operation: string; readonly provider: string } & (
  | { readonly kind: 'found'; readonly source: Source; readonly finding: Finding }
  | {
      readonly kind: 'moved';
      readonly to: Status;
      readonly journal: Journal;
      /** Given up: every attempt that the cap allows was proven without effect. */
      readonly isUsedUp: boolean;
      /** The provider shows two effects. */
      readonly isDoubled: boolean;
    }
  | { readonly kind: 'contradicted' }
);
