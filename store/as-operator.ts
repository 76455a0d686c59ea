/**
 * A transaction in which a person's decision may be written: the process assumes the role of operators
 * for its length, and has its privileges at no other time (0008).
 */
import { type Pool } from './pool';
import { OPERATOR_ROLE } from './roles';
import { inTransaction, type Transaction } from './transaction';

/** Runs `work` with the operators' privileges; the setting ends with the transaction. */
export function asOperator<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`set local role ${OPERATOR_ROLE}`);
    return work(tx);
  });
}
