/**
 * Everything secret that the embedded stack makes up for itself: once, at the first start, kept in
 * the data directory for the owner's eyes only. Tokens that a person has copied stay valid.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file';

interface Token {
  readonly token: string;
}

/** The demo's inhabitants, as the seeds and ready.json show them. */
export interface Demo {
  readonly tenants: { readonly acme: Token; readonly globex: Token };
  readonly operators: { readonly olive: Token; readonly oscar: Token };
}

export interface Credentials extends Demo {
  readonly passwords: Readonly<Record<'postgres' | 'owner' | 'api' | 'worker', string>>;
  readonly signingSecret: string;
  readonly keyDigestSecret: string;
}

export function credentialsPath(dataDirectory: string): string {
  return join(dataDirectory, 'credentials.json');
}

export function keepCredentials(dataDirectory: string): Credentials {
  const path = credentialsPath(dataDirectory);
  // Written by this function only, so its form is known.
  const kept = readJsonFile(path) as Credentials | undefined;
  if (kept !== undefined) return kept;
  const made = makeCredentials();
  writeJsonFile(path, made, 0o600);
  return made;
}

function makeCredentials(): Credentials {
  return {
    passwords: { postgres: secret(), owner: secret(), api: secret(), worker: secret() },
    // The form of the Standard Webhooks libraries: whsec_ and base64 of at least 24 bytes.
    signingSecret: `whsec_${randomBytes(32).toString('base64')}`,
    keyDigestSecret: secret(),
    tenants: { acme: { token: secret() }, globex: { token: secret() } },
    operators: { olive: { token: secret() }, oscar: { token: secret() } },
  };
}

/** Hex: it needs no quoting in URLs, SQL, shells or headers. */
function secret(): string {
  return randomBytes(32).toString('hex');
}
