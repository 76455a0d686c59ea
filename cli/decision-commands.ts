/** `decisions export`: the chain of decisions as it is stored, to be kept elsewhere and verified. */
import { type Command } from 'commander';
import {
  type ChainVerdict,
  type ExportedDecision,
  exportChain,
  verifyChain,
} from '../store/decision-chain';
import { EXIT } from './exit-codes';
import { type Surroundings } from './program';
import { Refusal } from './refusal';

/** Adds it. */
export function addDecisionCommands(program: Command, surroundings: Surroundings): void {
  const { write, tell, withStore } = surroundings;
  const decisions = program.command('decisions').description('What operators decided, as a chain');

  decisions
    .command('export')
    .description('write the whole chain as lines of JSON, first to last')
    .option('--verify', 'follow the hashes, and name the first row that breaks one')
    .action(async ({ verify = false }: { readonly verify?: boolean }) => {
      const verdict = await withStore(async (pool) => {
        const rows = writing(exportChain(pool), write);
        const found = verify ? await verifyChain(keptOpen(rows)) : null;
        // A broken chain is exported to its end as well: what follows is evidence, too.
        while (!(await rows.next()).done);
        return found;
      });
      if (verdict === null) return;
      if (verdict.kind === 'broken') throw new Refusal(brokenText(verdict), EXIT.broken);
      tell(`The chain is whole: ${verdict.rows} rows. Head, to be noted: ${verdict.head}\n`);
    });
}

/** Every row on its way through. */
async function* writing(
  rows: AsyncIterable<ExportedDecision>,
  write: (text: string) => void,
): AsyncGenerator<ExportedDecision> {
  for await (const row of rows) {
    write(`${JSON.stringify(row)}\n`);
    yield row;
  }
}

/** The same rows, for a reader that may stop before the last without closing them. */
function keptOpen<Row>(rows: AsyncGenerator<Row>): AsyncIterable<Row> {
  return { [Symbol.asyncIterator]: () => ({ next: () => rows.next() }) };
}

function brokenText(verdict: Extract<ChainVerdict, { kind: 'broken' }>): string {
  const { position, decisionId, why } = verdict;
  return `The chain is broken at row ${position}, decision ${decisionId}: ${why}.`;
}
