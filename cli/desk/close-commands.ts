/**
 * `close`, `orphans`, `close-orphan`: what evidence opened after an end, or without an intent. A closing
 * has an id that is told before it is sent, so that each may be run again.
 */
import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { type DiscrepancyClosing, type Orphans } from '../../client/types';
import { json, type OutputOptions, table } from '../output';
import { type DeskSurroundings } from '../program';
import { decisionId, intentId, openedAt, statement } from '../values';
import { ask } from './failure';
import { moment, printable } from './text';

type Closing = DiscrepancyClosing['closing'];

const CLOSINGS: Readonly<Record<Closing, string>> = {
  outcome_stands: 'the recorded outcome is right, the evidence against it was wrong',
  evidence_stands: 'the evidence is right, and what follows from it was done outside',
};

interface ClosingOptions extends OutputOptions {
  readonly evidence: string;
  readonly reason: string;
  readonly decisionId?: string;
}

/** Adds the three. */
export function addCloseCommands(program: Command, surroundings: DeskSurroundings): void {
  addClose(program, surroundings);
  addOrphans(program, surroundings);
  addCloseOrphan(program, surroundings);
}

/** What every closing takes. */
function withGrounds(command: Command): Command {
  return command
    .requiredOption('--evidence <text>', 'what proves it; no guess, no personal data', statement)
    .requiredOption('--reason <text>', 'what was done about it', statement)
    .option('--decision-id <id>', 'of a closing that may have been sent before', decisionId)
    .option('--json', 'answer with JSON');
}

/** The id, told before anything is sent, and what to say where no answer comes. */
function named({ tell }: DeskSurroundings, given: string | undefined) {
  const id = given ?? randomUUID();
  if (given === undefined) tell(`Decision id: ${id}\n`);
  const repeat = `It may be recorded: repeat it with --decision-id ${id}, and it is the same closing.`;
  return { id, repeat };
}

function addClose(program: Command, surroundings: DeskSurroundings): void {
  const means = Object.entries(CLOSINGS).map(([closing, meaning]) => `${closing}: ${meaning}`);
  const command = program
    .command('close')
    .description('close the discrepancy of an ended intent; the outcome stays')
    .argument('<intent>', 'its id', intentId)
    .addArgument(new Argument('<closing>', means.join('; ')).choices(Object.keys(CLOSINGS)))
    .requiredOption('--since <time>', 'which discrepancy, as show tells it', openedAt);
  withGrounds(command).action(
    async (intent: string, closing: Closing, options: ClosingOptions & { since: string }) => {
      const { evidence, reason, since, json: asJson } = options;
      const { id, repeat } = named(surroundings, options.decisionId);
      const body = { decision_id: id, since, closing, evidence, reason };
      const asking = { surroundings, asJson, intent, repeat };
      const closed = await ask(asking, (client) => client.closeDiscrepancy(intent, body));
      const text = `Closed, and on record. Intent ${intent} stays ${closed.intent.status}.\n`;
      surroundings.write(asJson ? json({ ...closed.intent, decision: closed.decision }) : text);
    },
  );
}

function addOrphans(program: Command, surroundings: DeskSurroundings): void {
  program
    .command('orphans')
    .description('effects under a reference of ours without an intent, oldest first')
    .option('--json', 'answer with JSON')
    .action(async ({ json: asJson }: OutputOptions) => {
      const orphans = await ask({ surroundings, asJson }, (client) => client.orphans());
      surroundings.write(asJson ? json(orphans) : orphansText(orphans));
    });
}

function orphansText({ data }: Orphans): string {
  if (data.length === 0) return 'There are none.\n';
  const rows = data.map((one) => [
    moment(one.seen_at),
    one.provider,
    one.provider_id,
    one.intent,
    `resolute close-orphan ${one.provider} ${one.provider_id} --evidence … --reason …`,
  ]);
  return printable(table(['seen', 'provider', 'effect there', 'intent that it names', ''], rows));
}

function addCloseOrphan(program: Command, surroundings: DeskSurroundings): void {
  const command = program
    .command('close-orphan')
    .description('close an effect that has no intent')
    .argument('<provider>', 'as orphans tells it', statement)
    .argument('<effect>', 'its id there', statement);
  withGrounds(command).action(
    async (provider: string, provider_id: string, options: ClosingOptions) => {
      const { evidence, reason, json: asJson } = options;
      const { id, repeat } = named(surroundings, options.decisionId);
      const body = { decision_id: id, provider, provider_id, evidence, reason };
      const asking = { surroundings, asJson, repeat };
      const closed = await ask(asking, (client) => client.closeOrphan(body));
      surroundings.write(asJson ? json(closed) : 'Closed, and on record.\n');
    },
  );
}
