/** The two demo tenants and two operators of the embedded stack; idempotent, run by its owner role. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Scope, TENANT_SCOPES } from '../domain/scope';

/** Bearer tokens by name; the stack makes them once and keeps them with its data. */
export interface DemoCredentials {
  readonly tenants: Readonly<Record<string, { readonly token: string }>>;
  readonly operators: Readonly<Record<string, { readonly token: string }>>;
}

const OPERATOR_SCOPES: readonly Scope[] = ['operate', 'read'];
const DEFAULT_PROVIDER = 'sim-full';

/** SHA-256 of a token: all that is stored of it. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Makes the demo's tenants, tokens and operators exist. */
export async function seedDemo(ownerUrl: string, demo: DemoCredentials): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const [tenant, { token }] of Object.entries(demo.tenants)) {
      await client.query(
        'insert into tenants (id, default_provider) values ($1, $2) on conflict do nothing',
        [tenant, DEFAULT_PROVIDER],
      );
      await insertKey(client, { token, tenant, actor: `${tenant}-demo`, scopes: TENANT_SCOPES });
    }
    for (const [operator, { token }] of Object.entries(demo.operators)) {
      await insertKey(client, { token, tenant: null, actor: operator, scopes: OPERATOR_SCOPES });
    }
  } finally {
    await client.end();
  }
}

interface Key {
  readonly token: string;
  readonly tenant: string | null;
  readonly actor: string;
  readonly scopes: readonly Scope[];
}

async function insertKey(client: pg.Client, key: Key): Promise<void> {
  await client.query(
    `insert into api_keys (token_digest, tenant, actor, scopes) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [tokenDigest(key.token), key.tenant, key.actor, key.scopes],
  );
}
