/** `show` and `explain`: one intent, in short and with the whole derivation. */
import { type Command } from 'commander';
import { json, type OutputOptions } from '../output';
import { type DeskSurroundings } from '../program';
import { intentId } from '../values';
import { explanationText } from './explanation-text';
import { ask } from './failure';
import { intentText } from './intent-text';
import { printable } from './text';

/** Adds both. */
export function addReadCommands(program: Command, surroundings: DeskSurroundings): void {
  const { write } = surroundings;

  program
    .command('show')
    .description('where an intent stands, and what may be done about it')
    .argument('<intent>', 'its id', intentId)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, { json: asJson }: OutputOptions) => {
      const asking = { surroundings, asJson, intent };
      const result = await ask(asking, (client) => client.get(intent));
      if (asJson) {
        write(json(result.intent));
        return;
      }
      const explanation = await ask(asking, (client) => client.explanation(intent));
      write(printable(intentText(result.intent, explanation)));
    });

  program
    .command('explain')
    .description('why an intent stands there: rule by rule with the evidence, and a timeline')
    .argument('<intent>', 'its id', intentId)
    .option('--json', 'answer with JSON')
    .action(async (intent: string, { json: asJson }: OutputOptions) => {
      const asking = { surroundings, asJson, intent };
      const explanation = await ask(asking, (client) => client.explanation(intent));
      write(asJson ? json(explanation) : printable(explanationText(explanation)));
    });
}
