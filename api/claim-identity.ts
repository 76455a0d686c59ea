/** Turns a validated request into a row: the identity is claimed, or found claimed (INV-1). */
import { findRecorded, type Recorded, recordIntent } from '../store/record-intent';
import { type Claim, claimDraw, type NotDrawn } from './claim-draw';
import { type Gateway } from './gateway';
import { digestKey } from './idempotency-key';
import { type IntentRequest, newIntent } from './new-intent';
import { invalidParameters } from './read-parameters';

/** Claims the identity or finds its holder. Throws 400 where the provider does not serve this. */
export async function claimIdentity(
  gateway: Gateway,
  request: IntentRequest,
): Promise<Recorded | NotDrawn> {
  const { caller, operation, idempotencyKey: key } = request;
  const keyDigest = digestKey(gateway.keyDigestSecret, {
    tenant: caller.tenant,
    operation: operation.name,
    key,
  });
  const claim = { request, keyDigest };
  const { draws } = operation;
  return draws === undefined ? claimAlone(gateway, claim) : claimDraw(gateway, claim, draws);
}

async function claimAlone(gateway: Gateway, { request, keyDigest }: Claim): Promise<Recorded> {
  const { caller, operation, params } = request;
  const named = operation.provider(params);
  const provider = named ?? caller.defaultProvider ?? '';
  const registered = gateway.providers.get(provider);
  const contract = registered?.contracts[operation.commandKind];
  if (registered !== undefined && contract !== undefined) {
    const { fingerprints } = gateway;
    const { account: providerAccount } = registered;
    const money = operation.money(params, null);
    const resolved = { provider, providerAccount, contract, keyDigest, fingerprints, money };
    return recordIntent(gateway.db, newIntent(request, resolved));
  }
  // A provider that is no longer registered must not turn a repeat into "nothing was ever done".
  const identity = { tenant: caller.tenant, operation: operation.name, keyDigest };
  const existing = await findRecorded(gateway.db, identity);
  if (existing !== null) return existing;
  const serving = `a provider that serves ${operation.name}`;
  const detail =
    named === null
      ? `is required, as the tenant's default is not ${serving}`
      : `must be ${serving}`;
  throw invalidParameters([{ pointer: '/provider', detail }]);
}
