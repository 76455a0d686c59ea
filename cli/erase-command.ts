/** `erase`: one payer's data on request, by the payer's instrument or by intent. */
import { type Command } from 'commander';
import { erase, type Erasure, type LeftIntent, type Subject } from '../store/erase';
import { listTenants } from '../store/tenants';
import { json, type OutputOptions, table } from './output';
import { type Surroundings } from './program';
import { Refusal } from './refusal';
import { intentId, tenantId } from './values';

interface EraseOptions extends OutputOptions {
  readonly tenant: string;
  readonly source?: string;
  readonly intent?: string;
}

/** Adds it. What is erased is gone; repeating the command is harmless. */
export function addEraseCommand(program: Command, { write, withStore }: Surroundings): void {
  program
    .command('erase')
    .description('erase the parameters and keys of one payer’s intents; their outcomes stay')
    .requiredOption('--tenant <id>', 'whose intents', tenantId)
    .option('--source <token>', 'the payer’s instrument, as the requests named it')
    .option('--intent <id>', 'or one intent', intentId)
    .option('--json', 'answer with JSON')
    .action(async (options: EraseOptions) => {
      const subject = subjectOf(options);
      const done = await withStore(async (pool) => {
        const tenants = await listTenants(pool);
        if (!tenants.some(({ id }) => id === subject.tenant)) {
          throw new Refusal(`There is no tenant ${subject.tenant}.`);
        }
        return erase(pool, subject);
      });
      if (done === null) throw new Refusal(`${subject.tenant} has no intent of that id.`);
      write(options.json ? json(erasureJson(subject, done)) : erasureText(subject, done));
    });
}

function subjectOf({ tenant, source, intent }: EraseOptions): Subject {
  if (source !== undefined && intent === undefined) return { tenant, source };
  if (intent !== undefined && source === undefined) return { tenant, intent };
  throw new Refusal('Name either --source or --intent, and not both.');
}

/** Neither names the source: what a command prints is kept in logs. */
function erasureJson({ tenant }: Subject, { erased, alreadyErased, left }: Erasure) {
  return {
    tenant,
    erased,
    already_erased: alreadyErased,
    left: left.map((intent) => ({
      intent: intent.id,
      status: intent.status,
      why: whyLeft(intent),
    })),
  };
}

function erasureText({ tenant }: Subject, { erased, alreadyErased, left }: Erasure): string {
  const before = alreadyErased > 0 ? ' It was erased before.' : '';
  const counts = `Erased ${erased} intents of ${tenant}.${before}\n`;
  if (left.length === 0) return counts;
  const rows = left.map((intent) => [intent.id, intent.status, whyLeft(intent)]);
  return `${counts}Not erased yet, run the command again later:\n${table(['intent', 'status', 'why'], rows)}`;
}

function whyLeft({ isDisputed }: LeftIntent): string {
  return isDisputed
    ? 'a discrepancy is open: its evidence is still needed'
    : 'has no outcome yet: its parameters are still needed';
}
