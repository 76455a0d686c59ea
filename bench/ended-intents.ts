/** A large table of lean rows, made by SQL: for questions of plans and times, not of rules. */
import pg from 'pg';

/** How many; every `dueEvery`th ended before yesterday's 400 days, the others within them. */
export interface Filling {
  readonly rows: number;
  readonly dueEvery: number;
}

/** Inserts succeeded charges of `acme`, sources `card_1` to `card_<rows>`. As the owner. */
export async function fillWithEnded(ownerUrl: string, filling: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `insert into intents (tenant, operation, operation_version, key_digest, idempotency_key,
         fingerprint, fingerprint_version, business_key, params, amount, currency, provider,
         contract, policy, workflow_id, reason, status, version, finalised_at)
       select 'acme', 'payment.charge', 1, sha256(int8send(n)), 'k' || n, sha256(int8send(n)), 1,
         'r' || n, jsonb_build_object('amount', 1000, 'currency', 'EUR', 'source', 'card_' || n,
           'reference', 'r' || n), 1000, 'EUR', 'sim-full', '{}', '{}', 'w' || n, 'x', 'succeeded',
         3, now() - make_interval(days => case when n % $2 = 0 then 401 + (n % 300)::int
           else (n % 399)::int end)
       from generate_series(1::int8, $1) n`,
      [filling.rows, filling.dueEvery],
    );
    await client.query('analyze intents');
  } finally {
    await client.end();
  }
}
