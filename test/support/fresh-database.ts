/** A database of its own for one suite, migrated, inside the shared stack's cluster. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { keepCredentials } from '../../local/credentials';
import { migrate } from '../../store/migrations';
import { createPool, type Pool } from '../../store/pool';
import { type NewIntent } from '../../store/record-intent';
import { sharedStack } from './shared-stack';
import { FULL } from './journal-of';

/** Pools as each role. The database goes with the stack that holds it. */
export interface FreshDatabase {
  readonly ownerUrl: string;
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly passwords: { readonly api: string; readonly worker: string };
  readonly owner: Pool;
  readonly api: Pool;
  readonly worker: Pool;
  close(): Promise<void>;
}

/** Creates and migrates it; tenants `acme` and `globex` exist. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { ready, dataDirectory } = sharedStack();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(ready.database, `create database ${name}`);
  const { passwords } = keepCredentials(dataDirectory);
  const url = (role?: string, password?: string): string => {
    const its = new URL(ready.database);
    its.pathname = `/${name}`;
    if (role !== undefined) its.username = role;
    if (password !== undefined) its.password = password;
    return its.href;
  };
  await migrate(url(), passwords);
  const pool = (role: string, at: string): Pool =>
    createPool({ url: at, name: `test-${role}`, size: 20, onIdleError: () => undefined });
  const database = {
    ownerUrl: url(),
    apiUrl: url('resolute_api', passwords.api),
    workerUrl: url('resolute_worker', passwords.worker),
    passwords,
    owner: pool('owner', url()),
    api: pool('api', url('resolute_api', passwords.api)),
    worker: pool('worker', url('resolute_worker', passwords.worker)),
    async close() {
      await Promise.all([this.owner.end(), this.api.end(), this.worker.end()]);
    },
  };
  await database.owner.query(
    "insert into tenants (id, default_provider) values ('acme', 'sim-full'), ('globex', 'sim-full')",
  );
  return database;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A request to record; every member may be overridden. */
export function newIntent(more: Partial<NewIntent> = {}): NewIntent {
  const key = randomBytes(8).toString('hex');
  return {
    tenant: 'acme',
    operation: 'payment.charge',
    operationVersion: 1,
    idempotencyKey: key,
    keyDigest: randomBytes(32),
    fingerprint: Buffer.alloc(32, 1),
    fingerprintVersion: 1,
    businessKey: `order-${key}`,
    params: { amount: 1000, currency: 'EUR', source: 'card_1', reference: `order-${key}` },
    amount: 1000,
    currency: 'EUR',
    provider: 'sim-full',
    providerAccount: 'default',
    contract: FULL,
    policy: { attemptCap: 3 },
    workflowId: `acme.payment.charge.h-${key}`,
    ...more,
  };
}
