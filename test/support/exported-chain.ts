/** The whole chain of decisions as it is exported, in one list. */
import { type ExportedDecision, exportChain } from '../../store/decision-chain';
import { type Pool } from '../../store/pool';

/** Reads it as the owner of the tables does. */
export async function exportedChain(owner: Pool): Promise<readonly ExportedDecision[]> {
  const rows: ExportedDecision[] = [];
  for await (const row of exportChain(owner)) rows.push(row);
  return rows;
}
