/**
 * The fingerprint: a keyed digest of the canonical parameters (RFC 8785), what decides whether a repeat
 * is the same request. It outlives the parameters, so nobody without the secret may confirm a guess by
 * it. Versions are only ever added: a row is compared under the version that it was written with. No
 * Unicode normalisation; array order counts; null is not absence.
 */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Operation } from '../operations/operation';
import { Problem } from './problem';

/** What of an operation a fingerprint depends on. */
type Fingerprinted = Pick<Operation, 'fingerprintFields'>;
type Parameters = Readonly<Record<string, unknown>>;

/** What a recorded intent says of its parameters. */
interface Recorded {
  readonly fingerprint: Buffer;
  readonly fingerprintVersion: number;
}

/** One version: 32 bytes over validated parameters. */
type Compute = (operation: Fingerprinted, params: Parameters) => Buffer;

/** The versions that one release of the gateway can compute. */
export class Fingerprints {
  /** The version that new intents are written with: the newest. */
  readonly present: number;
  readonly #versions: ReadonlyMap<number, Compute>;

  constructor(versions: ReadonlyMap<number, Compute>) {
    this.#versions = versions;
    this.present = Math.max(...versions.keys());
  }

  /** 32 bytes over validated parameters. Throws 503 where only a newer release could compute them. */
  of(operation: Fingerprinted, params: Parameters, version = this.present): Buffer {
    const compute = this.#versions.get(version);
    // Two releases side by side: the older one must neither guess nor refuse for good.
    if (compute === undefined) {
      throw new Problem('newer-version', { headers: { 'retry-after': '5' } });
    }
    return compute(operation, params);
  }

  /** True where the parameters are those that the intent was recorded with, under its own version. */
  areSame(recorded: Recorded, operation: Fingerprinted, params: Parameters): boolean {
    const own = this.of(operation, params, recorded.fingerprintVersion);
    return own.equals(recorded.fingerprint);
  }
}

/** The declared fields, absent ones left out, as version 1 and 2 digest them. */
function canonicalFields(operation: Fingerprinted, params: Parameters): string {
  const relevant = Object.fromEntries(
    operation.fingerprintFields.map((field) => [field, params[field]]),
  );
  const canonical = canonicalize(relevant);
  if (canonical === undefined) throw new Error('parameters without a canonical form');
  return canonical;
}

/** Tells this use of the secret from the digest of idempotency keys; part of version 2 for ever. */
const SUBKEY_LABEL = 'resolute fingerprint 2';

/**
 * The versions of this release. Version 1 is SHA-256 without a key, and only compared; version 2 is
 * HMAC-SHA-256 under a subkey (HKDF) of the secret that keys the digest of idempotency keys.
 */
export function createFingerprints(keyDigestSecret: Buffer): Fingerprints {
  const subkey = Buffer.from(hkdfSync('sha256', keyDigestSecret, '', SUBKEY_LABEL, 32));
  return new Fingerprints(
    new Map<number, Compute>([
      [
        1,
        (...request) =>
          createHash('sha256')
            .update(canonicalFields(...request))
            .digest(),
      ],
      [
        2,
        (...request) =>
          createHmac('sha256', subkey)
            .update(canonicalFields(...request))
            .digest(),
      ],
    ]),
  );
}
