/**
 * The commands and their options, in two families: operators' go through the gateway with a token,
 * administration goes to the database as its owner. Each does one thing, and says what it did once it
 * is committed.
 */
import { Command } from 'commander';
import { type Client } from '../client/client';
import { type Pool } from '../store/pool';
import { addAssumeSentCommand } from './assume-sent-command';
import { addDecisionCommands } from './decision-commands';
import { addDeskCommands } from './desk/register';
import { addEraseCommand } from './erase-command';
import { EXIT_HELP, type ExitCode } from './exit-codes';
import { addNotificationCommands } from './notification-commands';
import { addOperatorCommands } from './operator-commands';
import { addTenantCommands } from './tenant-commands';
import { addTokenCommands } from './token-commands';

/** What every command works with. */
interface Screen {
  readonly write: (text: string) => void;
  /** For people, beside what programs read. */
  readonly tell: (text: string) => void;
  /** How the command ends, where that is neither a success nor an error. */
  readonly endWith: (code: ExitCode) => void;
}

/** What administration works with. */
export interface Surroundings extends Screen {
  /** Opens the store for one piece of work, and closes it. */
  readonly withStore: <Result>(work: (pool: Pool) => Promise<Result>) => Promise<Result>;
}

/** What operators' commands work with. */
export interface DeskSurroundings extends Screen {
  /** The gateway as its variables say; read when a command runs, since help needs none. */
  readonly gateway: () => { readonly client: Client; readonly address: string };
}

/** Builds the command line. */
export function createProgram(surroundings: Surroundings & DeskSurroundings): Command {
  const program = new Command('resolute')
    .description('Intents in doubt, for operators; tenants, tokens and records, for the owner.')
    .helpCommand(false)
    .showHelpAfterError()
    .addHelpText('after', EXIT_HELP);
  program.commandsGroup(
    'Operators, through the gateway (RESOLUTE_API_URL, RESOLUTE_OPERATOR_TOKEN):',
  );
  addDeskCommands(program, surroundings);
  program.commandsGroup('Administration, in the database as its owner (DATABASE_URL):');
  addTenantCommands(program, surroundings);
  addTokenCommands(program, surroundings);
  addOperatorCommands(program, surroundings);
  addEraseCommand(program, surroundings);
  addNotificationCommands(program, surroundings);
  addDecisionCommands(program, surroundings);
  addAssumeSentCommand(program, surroundings);
  return program;
}
