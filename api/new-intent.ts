/** The row that a validated request asks for. */
import { type ProviderContract } from '../domain/contract';
import { workflowId } from '../domain/identity';
import { type Money, type Operation } from '../operations/operation';
import { type NewIntent } from '../store/record-intent';
import { type TenantCaller } from './authenticate';
import { type Fingerprints } from './fingerprint';

/** A request of which everything but the identity was checked. */
export interface IntentRequest {
  readonly caller: TenantCaller;
  readonly operation: Operation;
  readonly idempotencyKey: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the request alone does not say. */
export interface Resolved {
  readonly provider: string;
  readonly providerAccount: string;
  readonly contract: ProviderContract;
  readonly keyDigest: Buffer;
  /** Null where the effect is not about money. */
  readonly money: Money | null;
  readonly fingerprints: Fingerprints;
}

/** What to record. */
export function newIntent(
  request: IntentRequest,
  { fingerprints, ...resolved }: Resolved,
): NewIntent {
  const { caller, operation, idempotencyKey, params } = request;
  const { money, ...rest } = resolved;
  return {
    tenant: caller.tenant,
    operation: operation.name,
    operationVersion: operation.version,
    idempotencyKey,
    fingerprint: fingerprints.of(operation, params),
    fingerprintVersion: fingerprints.present,
    businessKey: operation.businessKey(params),
    params,
    ...rest,
    ...(money ?? { amount: null, currency: null }),
    policy: operation.policy,
    workflowId: workflowId({
      tenant: caller.tenant,
      operation: operation.name,
      idempotencyKey,
      keyDigest: rest.keyDigest.toString('hex'),
    }),
  };
}
