/** Reads the three books of a campaign: PostgreSQL, the provider's ledger, Temporal. */
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { type Ready } from '../local/ready';
import { createPool, type Pool } from '../store/pool';
import { type Books, type EffectFact, type IntentFact, type Kind } from './facts';

/** A ledger line, as far as it is read. */
interface LedgerLine extends Omit<EffectFact, 'kind'> {
  readonly kind: Kind | 'void';
}

/** What callers know. */
export interface Told {
  /** What must have an intent, whatever its callers heard. */
  readonly keys: readonly { readonly key: string }[];
  readonly answers: Books['answers'];
  readonly refusals: Books['refusals'];
}

/** Reads all of it; nothing may be under way any more. */
export async function readBooks(ready: Ready, { keys, answers, refusals }: Told): Promise<Books> {
  const [intents, ledger, openWorkflows] = await Promise.all([
    inStore(ready, readIntents),
    readLedger(ready),
    readOpenWorkflows(ready),
  ]);
  return {
    keys: [...new Set([...keys, ...answers.filter(isTold)].map(({ key }) => key))],
    intents,
    effects: ledger.filter(isAskedFor),
    openWorkflows,
    isDecided: false,
    answers,
    refusals,
  };
}

function isTold({ intent }: Books['answers'][number]): boolean {
  return intent !== null;
}

/** A void is seen in the status of its charge. */
function isAskedFor(line: LedgerLine): line is EffectFact {
  return line.kind !== 'void';
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
export type Review = Pick<IntentFact, 'id' | 'kind' | 'source' | 'amount'>;

/** Those that wait for a decision. */
export async function readReviews(ready: Ready): Promise<readonly Review[]> {
  return inStore(ready, async (pool) => {
    const { rows } = await pool.query<Review>(
      `select ${FACTS} where intents.status = 'in_review' order by id`,
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

/** A refund is found in the ledger by the payer of its charge, a message by its recipient. */
const FACTS = `intents.id, intents.idempotency_key as key,
    split_part(intents.operation, '.', 1 + (intents.operation like 'payment.%')::int) as kind,
    coalesce(charge.params->>'source', intents.params->>'source', intents.params->>'to') as source,
    intents.amount, intents.draws_on as charge, intents.provider, intents.status,
    intents.workflow_id as "workflowId", intents.discrepancy_reason as discrepancy
  from intents left join intents charge on charge.id = intents.draws_on`;

async function readIntents(pool: Pool): Promise<readonly IntentFact[]> {
  const { rows } = await pool.query<IntentFact>(`select ${FACTS}`);
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
