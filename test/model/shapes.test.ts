/** The rules as they are, in every shape: no property is broken by any story inside the bound. */
import { isDeep } from './depth';
import { REAL } from './engine';
import { explore } from './explore';
import { boundsOf, SHAPES } from './shapes';

const rows: string[] = [];

it.each(Object.values(SHAPES))('$name: every story keeps every property', (shape) => {
  const found = boundsOf(shape, isDeep()).map((bound) => explore({ ...shape, bound }, REAL));
  rows.push(row(shape.name, found));
  // The story itself is what should be read when this fails.
  expect(found.flatMap(({ counterexample }) => counterexample ?? []).join('\n')).toBe('');
  expect(found.every(({ isComplete }) => isComplete)).toBe(true);
});

afterAll(() => process.stdout.write(`States explored per shape:\n${rows.join('\n')}\n`));

function row(name: string, found: readonly { states: number; milliseconds: number }[]): string {
  const states = found.reduce((sum, one) => sum + one.states, 0);
  const seconds = found.reduce((sum, one) => sum + one.milliseconds, 0) / 1000;
  return `${name.padEnd(16)} ${String(states).padStart(8)} states ${seconds.toFixed(1).padStart(5)} s`;
}
