/** Turns a validated request into a row: the identity is claimed, or found claimed (INV-1). */
import { type Operation } from '../operations/operation';
import { findRecorded, type Recorded, recordIntent } from '../store/record-intent';
import { type Claim, claimDraw, type NotDrawn } from './claim-draw';
import { type Gateway } from './gateway';
import { digestKey } from './idempotency-key';
import { type IntentRequest, newIntent } from './new-intent';
import { invalidParameters } from './read-parameters';
import { type Recognised } from './recognise';

/**
 * Claims the identity or finds its holder; `known` is what a look has found, if there was one. A repeat
 * is recognised before anything else is asked: it answers as any repeat, also where nothing is left to
 * draw on, or its provider is not registered any more. Throws 400 where the provider does not serve this.
 */
export async function claimIdentity(
  gateway: Gateway,
  request: IntentRequest,
  known?: Recognised,
): Promise<Recorded | NotDrawn> {
  const { operation } = request;
  const { keyDigest, intent } = known ?? (await look(gateway, request));
  if (intent !== null) return { kind: 'existing', intent };
  const claim = { request, keyDigest };
  const { draws } = operation;
  return draws === undefined ? claimAlone(gateway, claim) : claimDraw(gateway, claim, draws);
}

async function look(gateway: Gateway, request: IntentRequest): Promise<Recognised> {
  const { caller, operation, idempotencyKey: key } = request;
  const named = { tenant: caller.tenant, operation: operation.name, key };
  const keyDigest = digestKey(gateway.keyDigestSecret, named);
  return { keyDigest, intent: await findRecorded(gateway.db, { ...named, keyDigest }) };
}

async function claimAlone(gateway: Gateway, { request, keyDigest }: Claim): Promise<Recorded> {
  const { caller, operation, params } = request;
  const named = operation.provider(params);
  const provider = named ?? caller.defaultProvider ?? '';
  const registered = gateway.providers.get(provider);
  const contract = registered?.contracts[operation.commandKind];
  if (registered === undefined || contract === undefined) {
    throw invalidParameters([{ pointer: '/provider', detail: mustServe(operation, named) }]);
  }
  const { fingerprints } = gateway;
  const { account: providerAccount } = registered;
  const money = operation.money(params, null);
  const resolved = { provider, providerAccount, contract, keyDigest, fingerprints, money };
  return recordIntent(gateway.db, newIntent(request, resolved));
}

function mustServe({ name }: Operation, named: string | null): string {
  return named === null
    ? `is required, as the tenant's default is not a provider that serves ${name}`
    : `must be a provider that serves ${name}`;
}
