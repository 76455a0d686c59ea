#!/usr/bin/env node
/**
 * `npm run rehearse [-- <name>…]`: makes the troubles of docs/runbook.md happen on fresh stacks and does
 * what the page says. Exit codes: 0 all went as it says, 1 one did not.
 */
import { REHEARSALS } from './catalogue';
import { performAll } from './perform';
import { type Rehearsal } from './rehearsal';

function chosen(names: readonly string[]): readonly Rehearsal[] {
  const known = REHEARSALS.map((one) => one.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no rehearsal "${unknown}"; there are: ${known.join(', ')}.`);
  }
  return names.length === 0 ? REHEARSALS : REHEARSALS.filter((one) => names.includes(one.name));
}

async function main(): Promise<void> {
  const rehearsals = chosen(process.argv.slice(2));
  const failures = await performAll(rehearsals, (line) => process.stdout.write(`${line}\n`));
  const good = `${rehearsals.length} rehearsed, all as the runbook says.`;
  const bad = failures.map(({ name }) => name).join(', ');
  process.stdout.write(failures.length === 0 ? `${good}\n` : `Not as the runbook says: ${bad}\n`);
  if (failures.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
