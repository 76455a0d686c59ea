/**
 * The names that are derived and never chosen twice: provider key, reference, workflow id.
 * None depends on run ids, activity ids, time or randomness (INV-4); none holds personal data
 * (INV-12).
 */
import { type Effect } from './journal';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

const short = (intentId: string): string => intentId.replaceAll('-', '');

/** The stable key we send to the provider: 36 bytes of `[0-9a-z-]`, inside every provider's limit. */
export function providerKey(intentId: string, effect: Effect, generation: number): string {
  return `${short(intentId)}-${effect.slice(0, 1)}${generation}`;
}

/** Our own name for the effect, in the request and queryable; one for all attempts of an effect. */
export function providerReference(intentId: string, effect: Effect): string {
  return `rs-${short(intentId)}-${effect.slice(0, 1)}`;
}

const REFERENCE = /^rs-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-([ar])$/;

/** The effect that a reference of ours names; null for every other text. */
export function effectOfReference(
  reference: string,
): { readonly intentId: string; readonly effect: Effect } | null {
  const [, a, b, c, d, e, letter] = REFERENCE.exec(reference) ?? [];
  if (letter === undefined) return null;
  return { intentId: [a, b, c, d, e].join('-'), effect: letter === 'a' ? 'apply' : 'revert' };
}

/** True for keys that are safe to show: they name nothing but themselves. */
function isOpaqueKey(idempotencyKey: string): boolean {
  return UUID.test(idempotencyKey) || ULID.test(idempotencyKey);
}

/** An intent's identity as far as it may be shown. */
export interface VisibleIdentity {
  readonly tenant: string;
  readonly operation: string;
  readonly idempotencyKey: string;
  /** Keyed digest of the idempotency key, hexadecimal. */
  readonly keyDigest: string;
}

/** 128 bits name an intent as surely as 256, and fit a screen. */
const DIGEST_DIGITS = 32;

/** `<tenant>.<operation>.<key>`: the key verbatim if opaque, else `h-` and its keyed digest. */
export function workflowId(identity: VisibleIdentity): string {
  const { tenant, operation, idempotencyKey, keyDigest } = identity;
  const key = isOpaqueKey(idempotencyKey)
    ? idempotencyKey
    : `h-${keyDigest.slice(0, DIGEST_DIGITS)}`;
  return `${tenant}.${operation}.${key}`;
}
