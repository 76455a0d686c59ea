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

/** Version 1: the operation's declared fields, absent ones left out. */
function canonicalFields(operation: Fingerprinted, params: Parameters): Buffer {
  const relevant = Object.fromEntries(
    operation.fingerprintFields.map((field) => [field, params[field]]),
  );
  const canonical = canonicalize(relevant);
  if (canonical === undefined) throw new Error('parameters without a canonical form');
  return createHash('sha256').update(canonical).digest();
}

/** Those of this release. A version is only ever added. */
export const FINGERPRINTS = new Fingerprints(new Map([[1, canonicalFields]]));
