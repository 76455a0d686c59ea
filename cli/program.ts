/** The commands and their options. Each does one thing, and says what it did once it is committed. */
import { Command } from 'commander';
import { type Pool } from '../store/pool';
import { addEraseCommand } from './erase-command';
import { addNotificationCommands } from './notification-commands';
import { addOperatorCommands } from './operator-commands';
import { addTenantCommands } from './tenant-commands';
import { addTokenCommands } from './token-commands';

/** What the commands work with. */
export interface Surroundings {
  readonly write: (text: string) => void;
  /** Opens the store for one piece of work, and closes it. */
  readonly withStore: <Result>(work: (pool: Pool) => Promise<Result>) => Promise<Result>;
}

/** Builds the command line. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command('resolute')
    .description('Tenants, tokens, operators and erasure. DATABASE_URL: the owner’s.')
    .showHelpAfterError();
  addTenantCommands(program, surroundings);
  addTokenCommands(program, surroundings);
  addOperatorCommands(program, surroundings);
  addEraseCommand(program, surroundings);
  addNotificationCommands(program, surroundings);
  return program;
}
