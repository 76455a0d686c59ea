/** Reads the three books of a campaign: PostgreSQL, the provider's ledger, Temporal. */
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { type Ready } from '../local/ready';
import { createPool, type Pool } from '../store/pool';
import { type Books, type EffectFact, type IntentFact } from './check';

/** A ledger line, as far as it is read. */
interface LedgerLine extends EffectFact {
  readonly kind: string;
}

/** Reads all of it; nothing may be under way any more. */
export async function readBooks(
  ready: Ready,
  plan: readonly { readonly key: string }[],
  stories: Books['answers'],
): Promise<Books> {
  const [intents, ledger, openWorkflows] = await Promise.all([
    inStore(ready, readIntents),
    readLedger(ready),
    readOpenWorkflows(ready),
  ]);
  return {
    keys: plan.map((one) => one.key),
    intents,
    charges: ledger.filter((one) => one.kind === 'charge'),
    openWorkflows,
    isDecided: false,
    answers: stories,
  };
}

/** How many intents are neither final nor in front of a person. */
export async function countUnfinished(ready: Ready): Promise<number> {
  return inStore(ready, async (pool) => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*) as n from intents
       where status not in ('succeeded', 'failed', 'canceled', 'in_review')`,
    );
    return rows[0]?.n ?? 0;
  });
}

/** One intent in front of a person. */
export interface Review {
  readonly id: string;
  readonly source: string;
}

/** Those that wait for a decision. */
export async function readReviews(ready: Ready): Promise<readonly Review[]> {
  return inStore(ready, async (pool) => {
    const { rows } = await pool.query<Review>(
      "select id, params->>'source' as source from intents where status = 'in_review' order by id",
    );
    return rows;
  });
}

async function inStore<Result>(ready: Ready, work: (pool: Pool) => Promise<Result>) {
  const pool = createPool({
    url: ready.database,
    name: 'resolute-campaign',
    size: 1,
    onIdleError: () => undefined,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function readIntents(pool: Pool): Promise<readonly IntentFact[]> {
  const { rows } = await pool.query<IntentFact>(
    `select id, idempotency_key as key, params->>'source' as source, provider, status,
       workflow_id as "workflowId", discrepancy_reason as discrepancy
     from intents`,
  );
  return rows;
}

async function readLedger(ready: Ready): Promise<readonly LedgerLine[]> {
  const { body } = await request(`${ready.simulator_admin}/_admin/ledger`);
  const { effects } = (await body.json()) as { readonly effects: readonly LedgerLine[] };
  return effects;
}

async function readOpenWorkflows({ temporal }: Ready): Promise<readonly string[]> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const { workflow } = new Client({ connection, namespace: temporal.namespace });
    const ids: string[] = [];
    const query = 'WorkflowType = "settleIntent" and ExecutionStatus = "Running"';
    for await (const run of workflow.list({ query })) ids.push(run.workflowId);
    return ids;
  } finally {
    await connection.close();
  }
}
