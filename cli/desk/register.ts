/** Operators' commands: what waits, why, and what to do about it; all through the gateway. */
import { type Command } from 'commander';
import { type DeskSurroundings } from '../program';
import { addActCommands } from './act-commands';
import { addCloseCommands } from './close-commands';
import { addListCommand } from './list-command';
import { addReadCommands } from './read-commands';

/** Adds them in the order in which they are used. */
export function addDeskCommands(program: Command, surroundings: DeskSurroundings): void {
  addListCommand(program, surroundings);
  addReadCommands(program, surroundings);
  addActCommands(program, surroundings);
  addCloseCommands(program, surroundings);
}
