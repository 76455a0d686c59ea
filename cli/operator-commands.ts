/** `operator create`, `operator list`. An operator is the holder of a token with the scope `operate`. */
import { type Command } from 'commander';
import { type Scope } from '../domain/scope';
import { issueToken, listTokens } from '../store/tokens';
import { issuedText, json, type OutputOptions, tokenJson, tokenTable } from './output';
import { type Surroundings } from './program';
import { Refusal } from './refusal';
import { actorName } from './values';

/** Operators decide and read every tenant's intents; they create none. */
const SCOPES: readonly Scope[] = ['operate', 'read'];

/** Adds both. Their tokens are rotated and revoked as all others. */
export function addOperatorCommands(program: Command, { write, withStore }: Surroundings): void {
  const operator = program.command('operator').description('Who decides what no machine can');

  operator
    .command('create')
    .description('make an operator and show the token, once')
    .argument('<name>', 'one person: two of them are needed to approve', actorName)
    .option('--json', 'answer with JSON')
    .action(async (actor: string, options: OutputOptions) => {
      const issued = await withStore(async (pool) => {
        const known = await listTokens(pool, 'operators');
        // A second token would look like a second person who approves.
        const live = known.find((one) => one.actor === actor && one.state === 'live');
        if (live !== undefined) {
          throw new Refusal(`${actor} has a live token: token rotate ${live.id}`);
        }
        return issueToken(pool, { tenant: null, actor, scopes: SCOPES, livesMs: null });
      });
      const document = { ...tokenJson(issued), token: issued.token };
      write(options.json ? json(document) : issuedText(issued));
    });

  operator
    .command('list')
    .description('list the operators’ tokens, newest first')
    .option('--json', 'answer with JSON')
    .action(async (options: OutputOptions) => {
      const records = await withStore((pool) => listTokens(pool, 'operators'));
      write(options.json ? json(records.map(tokenJson)) : tokenTable(records));
    });
}
