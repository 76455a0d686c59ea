/**
 * The fingerprint: SHA-256 of the canonical parameters (RFC 8785), what decides whether a repeat is
 * the same request. Versions are only ever added: a row is compared under the version that it was
 * written with. No Unicode normalisation; array order counts; null is not absence.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Operation } from '../operations/operation';
import { Problem } from './problem';

/** What of an operation a fingerprint depends on. */
type Fingerprinted = Pick<Operation, 'fingerprintFields'>;
type Parameters = Readonly<Record<string, unknown>>;

/** The version that new intents are written with. */
export const FINGERPRINT_VERSION = 1;

const VERSIONS: ReadonlyMap<number, (operation: Fingerprinted, params: Parameters) => Buffer> =
  new Map([[1, canonicalFields]]);

/** 32 bytes over validated parameters. Throws 503 where only a newer version could compute them. */
export function fingerprint(
  operation: Fingerprinted,
  params: Parameters,
  version = FINGERPRINT_VERSION,
): Buffer {
  const compute = VERSIONS.get(version);
  // Two gateway versions side by side: the older one must neither guess nor refuse for good.
  if (compute === undefined)
    throw new Problem('newer-version', { headers: { 'retry-after': '5' } });
  return compute(operation, params);
}

/** What a recorded intent says of its parameters. */
interface Recorded {
  readonly fingerprint: Buffer;
  readonly fingerprintVersion: number;
}

/** True where the parameters are those that the intent was recorded with. */
export function isSameRequest(
  recorded: Recorded,
  operation: Fingerprinted,
  params: Parameters,
): boolean {
  const own = fingerprint(operation, params, recorded.fingerprintVersion);
  return own.equals(recorded.fingerprint);
}

/** Version 1: the operation's declared fields, absent ones left out. */
function canonicalFields(operation: Fingerprinted, params: Parameters): Buffer {
  const relevant = Object.fromEntries(
    operation.fingerprintFields.map((field) => [field, params[field]]),
  );
  const canonical = canonicalize(relevant);
  if (canonical === undefined) throw new Error('parameters without a canonical form');
  return createHash('sha256').update(canonical).digest();
}
