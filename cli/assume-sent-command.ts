/** `assume-sent`: what a database that was restored from a backup must be told before anybody works. */
import { type Command } from 'commander';
import { assumeSent, type Assumed } from '../store/assume-sent';
import { json, type OutputOptions, table } from './output';
import { type Surroundings } from './program';
import { intentId } from './values';

interface Options extends OutputOptions {
  readonly intent?: string;
}

/** Adds it. */
export function addAssumeSentCommand(program: Command, { write, withStore }: Surroundings): void {
  program
    .command('assume-sent')
    .description(
      'after a restore, while no worker runs: take it that what would be sent next was sent',
    )
    .option('--intent <id>', 'only this intent', intentId)
    .option('--json', 'answer with JSON')
    .action(async ({ intent, json: asJson }: Options) => {
      const all = await withStore((pool) => assumeSent(pool, intent ?? null));
      write(asJson ? json(all.map(document)) : text(all));
    });
}

function document({ intentId: intent, workflowId, provider, assumed }: Assumed) {
  return { intent, workflow_id: workflowId, provider, assumed };
}

function text(all: readonly Assumed[]): string {
  if (all.length === 0) return 'No intent is open.\n';
  return table(
    ['intent', 'provider', 'assumed sent', 'workflow'],
    all.map((one) => [one.intentId, one.provider, one.assumed ? 'yes' : 'no', one.workflowId]),
  );
}
