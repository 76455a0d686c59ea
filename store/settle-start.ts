/** What is needed to start the workflow of an intent from its row. */
import { type Policy, type ProviderContract } from '../domain/contract';

/** Workflow id and input of one settlement. */
export interface SettleStart {
  readonly intentId: string;
  readonly workflowId: string;
  readonly tenant: string;
  readonly operation: string;
  readonly provider: string;
  /** Minor units; null, like the currency, where the effect is not about money. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** The intent that it draws on; null where it stands alone. */
  readonly drawsOn: string | null;
  readonly contract: ProviderContract;
  readonly policy: Policy;
}

/** One whose run may be gone, or may have missed what was written. */
export interface Waking extends SettleStart {
  /** False: an open run knows everything and need not look again. Absent: it should. */
  readonly hasNews?: boolean;
}

export const SETTLE_START_COLUMNS = `
  id as "intentId", workflow_id as "workflowId", tenant, operation, provider, amount, currency,
  contract, policy, draws_on as "drawsOn"`;
