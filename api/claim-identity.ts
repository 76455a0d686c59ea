/** Turns a validated request into a row: the identity is claimed, or found claimed (INV-1). */
import { type ProviderContract } from '../domain/contract';
import { workflowId } from '../domain/identity';
import { type Operation } from '../operations/operation';
import { listIntents } from '../store/read-intents';
import { type NewIntent, type Recorded, recordIntent } from '../store/record-intent';
import { type TenantCaller } from './authenticate';
import { fingerprint, FINGERPRINT_VERSION } from './fingerprint';
import { type Gateway } from './gateway';
import { digestKey } from './idempotency-key';
import { invalidParameters } from './read-parameters';

/** A request of which everything but the identity was checked. */
export interface IntentRequest {
  readonly caller: TenantCaller;
  readonly operation: Operation;
  readonly idempotencyKey: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Claims the identity or finds its holder. Throws 400 where the provider does not serve this. */
export async function claimIdentity(gateway: Gateway, request: IntentRequest): Promise<Recorded> {
  const { caller, operation, idempotencyKey: key } = request;
  const provider = operation.provider(request.params) ?? caller.defaultProvider ?? '';
  const contract = gateway.providers.get(provider)?.contracts[operation.commandKind];
  const identity = { tenant: caller.tenant, operation: operation.name, key };
  const keyDigest = digestKey(gateway.keyDigestSecret, identity);
  if (contract !== undefined) {
    return recordIntent(gateway.db, newIntent(request, { provider, contract, keyDigest }));
  }
  // A provider that is no longer registered must not turn a repeat into "nothing was ever done".
  const [existing] = await listIntents(
    gateway.db,
    { tenant: caller.tenant },
    { operation: operation.name, keyDigest, limit: 1 },
  );
  if (existing !== undefined) return { kind: 'existing', intent: existing };
  throw invalidParameters([
    { pointer: '/provider', detail: `must be a provider that serves ${operation.name}` },
  ]);
}

interface Resolved {
  readonly provider: string;
  readonly contract: ProviderContract;
  readonly keyDigest: Buffer;
}

function newIntent(request: IntentRequest, { provider, contract, keyDigest }: Resolved): NewIntent {
  const { caller, operation, idempotencyKey, params } = request;
  return {
    tenant: caller.tenant,
    operation: operation.name,
    operationVersion: operation.version,
    idempotencyKey,
    keyDigest,
    fingerprint: fingerprint(operation, params),
    fingerprintVersion: FINGERPRINT_VERSION,
    businessKey: operation.businessKey(params),
    params,
    ...(operation.money(params) ?? { amount: null, currency: null }),
    provider,
    contract,
    policy: operation.policy,
    workflowId: workflowId({
      tenant: caller.tenant,
      operation: operation.name,
      idempotencyKey,
      keyDigest: keyDigest.toString('hex'),
    }),
  };
}
