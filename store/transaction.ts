/**
 * Transactions. Each trip to the server and back costs both sides more than most statements: BEGIN
 * travels with the first ones, COMMIT with the last.
 */
import pg from 'pg';
import { forgetNoted, tellCommitted } from './observe-commits';
import { type Brought, inOneTrip, type Statement } from './one-trip';
import { type Pool, type Queryable, toError } from './pool';

/** The connection of an open transaction. */
export interface Transaction extends Queryable {
  /**
   * Has a statement run whose result nobody reads: before the next query, or else together with COMMIT.
   * Where it fails, that fails. What it may not do in silence, it must make an error of.
   */
  later(statement: Statement): void;
}

const BEGIN: Statement = { name: 'begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };

/**
 * Runs `work` in one transaction on one connection. COMMIT is never repeated: if its answer is lost
 * the error surfaces, the connection is destroyed, and the caller decides from what it then reads.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransactionFrom(pool, [], work);
}

/** The same with the first statements sent along with BEGIN; `work` gets what they brought. */
export async function inTransactionFrom<Result>(
  pool: Pool,
  first: readonly Statement[],
  work: (tx: Transaction, brought: readonly Brought[]) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const waiting: Statement[] = [];
  const tx = transactionOn(client, waiting);
  let broken: Error | undefined;
  try {
    const [, ...brought] = await inOneTrip(client, [BEGIN, ...first]);
    const result = await work(tx, brought);
    await commit(client, waiting);
    tellCommitted(pool, tx);
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    throw error;
  } finally {
    forgetNoted(tx);
    client.release(broken);
  }
}

/** Of the driver's `query`, in the two ways in which it is called here. */
type Query = (query: unknown, values?: unknown, answered?: (error: unknown) => void) => unknown;

function transactionOn(client: pg.PoolClient, waiting: Statement[]): Transaction {
  const sendWaiting = async (): Promise<void> => {
    if (waiting.length > 0) await inOneTrip(client, waiting.splice(0));
  };
  const query: Query = (query, values, answered) => {
    const run = (): unknown => (client.query as Query).call(client, query, values, answered);
    return answered === undefined ? sendWaiting().then(run) : sendWaiting().then(run, answered);
  };
  return {
    query: query as Queryable['query'],
    later: (statement) => void waiting.push(statement),
  };
}

async function commit(client: pg.PoolClient, waiting: readonly Statement[]): Promise<void> {
  const last = (await inOneTrip(client, [...waiting, COMMIT])).at(-1);
  // What PostgreSQL answers where a statement failed before and its error was swallowed.
  if (last?.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

/** The error with which to destroy the connection; undefined where it is clean again. */
async function rollBack(client: pg.PoolClient, cause: unknown): Promise<Error | undefined> {
  if (!(cause instanceof pg.DatabaseError)) return toError(cause);
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return toError(error);
  }
}
