/**
 * `decide`, `approve`, `look-up`, `cancel`. Each may be run again: a decision has an id that is told
 * before it is sent, the others are the same thing twice.
 */
import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { type Decided, type Decision, type Result } from '../../client/types';
import { EXIT } from '../exit-codes';
import { json, type OutputOptions } from '../output';
import { type DeskSurroundings } from '../program';
import { decisionId, intentId, statement, waitSeconds } from '../values';
import { ask } from './failure';
import { printable } from './text';

type Kind = Decision['decision'];

const KINDS: Readonly<Record<Kind, string>> = {
  applied: 'the provider did it',
  not_applied: 'the provider did not do it, and nothing of it is on its way',
  retry: 'the same as not_applied, and send it again',
};

interface DecideOptions extends OutputOptions {
  readonly evidence: string;
  readonly reason: string;
  readonly decisionId?: string;
  readonly override: boolean;
}

interface CancelOptions extends OutputOptions {
  readonly wait?: number;
}

/** Adds the four. */
export function addActCommands(program: Command, surroundings: DeskSurroundings): void {
  addDecide(program, surroundings);
  addApprove(program, surroundings);
  addLookUp(program, surroundings);
  addCancel(program, surroundings);
}

function addDecide(program: Command, surroundings: DeskSurroundings): void {
  const means = Object.entries(KINDS).map(([kind, meaning]) => `${kind}: ${meaning}`);
  program
    .command('decide')
    .description('say what became of an intent in doubt')
    .argument('<intent>', 'its id', intentId)
    .addArgument(new Argument('<decision>', means.join('; ')).choices(Object.keys(KINDS)))
    .requiredOption('--evidence <text>', 'what proves it; no guess, no personal data', statement)
    .requiredOption('--reason <text>', 'why you decide so', statement)
    .option('--decision-id <id>', 'of a decision that may have been sent before', decisionId)
    .option('--override', 'end it against a look-up that stays silent; takes two', false)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, decision: Kind, options: DecideOptions) => {
      const { evidence, reason, override, json: asJson } = options;
      const decision_id = options.decisionId ?? randomUUID();
      // Told before it is sent: whoever interrupts the command can still repeat this very decision.
      if (options.decisionId === undefined) surroundings.tell(`Decision id: ${decision_id}\n`);
      const repeat = `It may be recorded: repeat it with --decision-id ${decision_id}, and it is the same decision.`;
      const body = { decision_id, decision, evidence, reason, override };
      const asking = { surroundings, asJson, intent, repeat };
      tellDecided(surroundings, await ask(asking, (client) => client.decide(intent, body)), asJson);
    });
}

function addApprove(program: Command, surroundings: DeskSurroundings): void {
  program
    .command('approve')
    .description('make effective what another operator proposed')
    .argument('<intent>', 'its id', intentId)
    .argument('<decision>', 'the id of the decision, as show tells it', decisionId)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, decision: string, { json: asJson }: OutputOptions) => {
      const asking = { surroundings, asJson, intent };
      tellDecided(
        surroundings,
        await ask(asking, (client) => client.approve(intent, decision)),
        asJson,
      );
    });
}

function addLookUp(program: Command, surroundings: DeskSurroundings): void {
  program
    .command('look-up')
    .description('have the provider asked now; harmless')
    .argument('<intent>', 'its id', intentId)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, { json: asJson }: OutputOptions) => {
      const asking = { surroundings, asJson, intent };
      const told = await ask(asking, (client) => client.lookUp(intent));
      const text = `${told.message}\nLook: resolute explain ${intent}\n`;
      surroundings.write(asJson ? json(told) : printable(text));
    });
}

function addCancel(program: Command, surroundings: DeskSurroundings): void {
  program
    .command('cancel')
    .description('on behalf of the tenant: send nothing any more, undo what was applied')
    .argument('<intent>', 'its id', intentId)
    .option('--wait <seconds>', 'for what comes of it, 0 to 60; default 10', waitSeconds)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, { wait, json: asJson }: CancelOptions) => {
      const asking = { surroundings, asJson, intent };
      const waiting = wait === undefined ? {} : { wait };
      const result = await ask(asking, (client) => client.cancel(intent, waiting));
      if (result.status !== 'canceled') surroundings.endWith(EXIT.waits);
      surroundings.write(asJson ? json(result.intent) : printable(canceledText(result)));
    });
}

function canceledText({ status, intent }: Result): string {
  if (status === 'canceled') return `Canceled: ${intent.reason}\n`;
  return `Recorded: nothing is sent any more, and what was applied is undone.\n${standsText(intent)}`;
}

function tellDecided(
  { write, endWith }: DeskSurroundings,
  { decision, httpStatus, intent }: Decided,
  asJson: boolean | undefined,
): void {
  const isProposed = decision.state === 'proposed';
  const isDone = !isProposed && httpStatus === 200;
  if (!isDone) endWith(isProposed ? EXIT.proposed : EXIT.waits);
  if (asJson) {
    write(json({ ...intent, decision }));
    return;
  }
  const outcome = isProposed
    ? `Proposed. Another operator approves it:\n  resolute approve ${intent.id} ${decision.decision_id}`
    : isDone
      ? 'Recorded, and in effect.'
      : 'Recorded. It takes effect when our own look-up agrees, or when the time has come.';
  write(printable(`${outcome}\n${standsText(intent)}`));
}

function standsText({ id, status, reason }: Result['intent']): string {
  return `Intent ${id} is ${status}: ${reason}\n`;
}
