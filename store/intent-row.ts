/** An intent as it stands in its row; what the gateway shows and the activities act on. */
import { type Policy, type ProviderContract } from '../domain/contract';
import { type Status } from '../domain/status';

/** How the provider said no: its code, and whether that is a decline of the payer's instrument. */
export interface Rejection {
  readonly code: string;
  readonly declined: boolean;
}

/** One row of `intents`, in the words of the domain. `null` dates: it did not happen. */
export interface IntentRow {
  readonly id: string;
  readonly tenant: string;
  readonly operation: string;
  readonly operationVersion: number;
  /** The caller's key; null once purged. */
  readonly idempotencyKey: string | null;
  readonly fingerprint: Buffer;
  readonly fingerprintVersion: number;
  readonly businessKey: string;
  /** The validated parameters; null once purged. */
  readonly params: Readonly<Record<string, unknown>> | null;
  /** Minor units; null, like the currency, where the effect is not about money. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly provider: string;
  /** Whose credentials may act for it; see `Provider.account`. */
  readonly providerAccount: string;
  readonly providerId: string | null;
  readonly contract: ProviderContract;
  readonly policy: Policy;
  readonly status: Status;
  readonly version: number;
  readonly reason: string;
  readonly rejection: Rejection | null;
  readonly attemptCount: number;
  readonly unknownSince: Date | null;
  readonly reviewSince: Date | null;
  readonly nextStepAt: Date | null;
  readonly workflowId: string;
  /** The intent that this one draws on (a refund: its charge); null where it stands alone. */
  readonly drawsOn: string | null;
  /** The provider's own id of that one's effect. */
  readonly drawsOnProviderId: string | null;
  readonly cancelRequestedAt: Date | null;
  readonly cancelRequestedBy: string | null;
  readonly discrepancySince: Date | null;
  readonly discrepancyReason: string | null;
  /** Since when it waits for nobody any more: a person found that the evidence is right. */
  readonly discrepancyClosedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finalisedAt: Date | null;
  readonly purgedAt: Date | null;
}

/** The select list that makes an {@link IntentRow}; explicit, so that new columns stay invisible. */
export const INTENT_COLUMNS = `
  id, tenant, operation, operation_version as "operationVersion",
  idempotency_key as "idempotencyKey", fingerprint, fingerprint_version as "fingerprintVersion",
  business_key as "businessKey", params, amount, currency, provider,
  provider_account as "providerAccount", provider_id as "providerId", contract, policy, status,
  version, reason, rejection, attempt_count as "attemptCount",
  unknown_since as "unknownSince", review_since as "reviewSince", next_step_at as "nextStepAt",
  workflow_id as "workflowId", cancel_requested_at as "cancelRequestedAt",
  cancel_requested_by as "cancelRequestedBy", discrepancy_since as "discrepancySince",
  discrepancy_reason as "discrepancyReason", discrepancy_closed_at as "discrepancyClosedAt",
  created_at as "createdAt", updated_at as "updatedAt", finalised_at as "finalisedAt",
  purged_at as "purgedAt", draws_on as "drawsOn", draws_on_provider_id as "drawsOnProviderId"`;
