/** What the command line says. */
import { parseArgs } from 'node:util';
import { SYSTEMS, type SystemName } from './words';

export interface Options {
  /** JSON lines on standard output; the readable report goes to standard error. */
  readonly json: boolean;
  /** Leaves the stack's data directory behind. */
  readonly keep: boolean;
  readonly rounds: number;
  /** Outcomes before anything is counted, of each system that runs on Temporal. */
  readonly warmUp: number;
  readonly clients: readonly number[];
  /** Outcomes in a round at C clients. */
  readonly outcomes: (clients: number) => number;
  readonly systems: readonly SystemName[];
  /** Intents in flight when the worker is killed; 0 leaves that out. */
  readonly inFlight: number;
}

export const USAGE = `npm run bench -- [options]
  --quick          a smoke run of about a minute; its figures mean little
  --rounds N       rounds, each measuring every system once at each C (default 3)
  --warm-up N      outcomes before anything is counted (default 1000)
  --clients A,B    numbers of concurrent clients (default 1,8,64)
  --scale X        multiplies the outcomes of a round (default 1: 60, 200, 600 at C = 1, 8, 64)
  --systems A,B    of ${SYSTEMS.join(', ')} (default all)
  --in-flight N    intents in flight when the worker is killed, 0 for no such trial (default 100)
  --json           one JSON object a line on standard output
  --keep           leave the stack's data directory behind`;

/** Throws an Error with one sentence where an option is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      'warm-up': { type: 'string' },
      clients: { type: 'string', default: '1,8,64' },
      scale: { type: 'string' },
      systems: { type: 'string', default: SYSTEMS.join(',') },
      'in-flight': { type: 'string', default: '100' },
    },
  });
  const [rounds, warmUp, scale] = values.quick ? ['1', '64', '0.2'] : ['3', '1000', '1'];
  const factor = number('--scale', values.scale ?? scale);
  return {
    json: values.json,
    keep: values.keep,
    rounds: number('--rounds', values.rounds ?? rounds),
    warmUp: number('--warm-up', values['warm-up'] ?? warmUp),
    clients: values.clients.split(',').map((text) => number('--clients', text)),
    outcomes: (clients) => Math.max(Math.round(outcomesAt(clients) * factor), clients),
    systems: values.systems.split(',').map(systemNamed),
    inFlight: number('--in-flight', values['in-flight']),
  };
}

/** Long enough to be steady, short enough for rounds to follow each other within a minute or two. */
function outcomesAt(clients: number): number {
  return Math.round(60 * clients ** 0.55);
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new Error(`${name} must be a number, not "${text}".`);
  }
  return value;
}

function systemNamed(text: string): SystemName {
  const name = SYSTEMS.find((system) => system === text);
  if (name === undefined) throw new Error(`--systems knows ${SYSTEMS.join(', ')}, not "${text}".`);
  return name;
}
