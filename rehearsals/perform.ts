/** Performs rehearsals: those that leave the stack standing share one, the others get their own. */
import { type Rehearsal } from './rehearsal';
import { Stage } from './stage';

/** One that did not go as the page says. */
export interface Failure {
  readonly name: string;
  readonly why: string;
}

/** Performs them all, whatever fails, and returns what did; `say` hears what was seen. */
export async function performAll(
  rehearsals: readonly Rehearsal[],
  say: (line: string) => void,
): Promise<readonly Failure[]> {
  const shared = rehearsals.filter((one) => one.isAlone !== true);
  const alone = rehearsals.filter((one) => one.isAlone === true);
  const groups = [...(shared.length > 0 ? [shared] : []), ...alone.map((one) => [one])];
  const failures: Failure[] = [];
  for (const group of groups) failures.push(...(await onFreshStage(group, say)));
  return failures;
}

async function onFreshStage(
  group: readonly Rehearsal[],
  say: (line: string) => void,
): Promise<readonly Failure[]> {
  const stage = await Stage.open(say);
  const failures: Failure[] = [];
  try {
    for (const { name, perform } of group) {
      const began = performance.now();
      say(name);
      try {
        await perform(stage);
        await stage.compareBooks();
        say(`  ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      } catch (error) {
        failures.push({ name, why: error instanceof Error ? error.message : String(error) });
        say(`  FAILED: ${failures.at(-1)?.why ?? ''}`);
        // Whatever it left behind would be blamed on the next one.
        break;
      }
    }
  } finally {
    await stage.close();
  }
  return failures;
}
