/** Registers a test for each shape: no property is broken by any story inside its bounds. */
import { isDeep } from './depth';
import { REAL } from './engine';
import { explore, type Exploration } from './explore';
import { type Shape } from './shape';
import { boundsOf } from './shapes';

/** Ten minutes a shape, for the larger bounds. */
const LIMIT_MS = 600_000;

/** The rules as they are; prints what was explored. */
export function checkShapes(shapes: readonly Shape[]): void {
  const rows: string[] = [];

  it.each(shapes)(
    '$name: every story keeps every property',
    (shape) => {
      const found = boundsOf(shape, isDeep()).map((bound) => explore({ ...shape, bound }, REAL));
      rows.push(row(shape.name, found));
      // The story itself is what should be read when this fails.
      expect(found.flatMap(({ counterexample }) => counterexample ?? []).join('\n')).toBe('');
      // The larger bounds may exceed the memory; the table then says so.
      expect(isDeep() || found.every(({ isComplete }) => isComplete)).toBe(true);
    },
    LIMIT_MS,
  );

  afterAll(() => process.stdout.write(`States explored per shape:\n${rows.join('\n')}\n`));
}

function row(name: string, found: readonly Exploration[]): string {
  const states = found.reduce((sum, one) => sum + one.states, 0);
  const seconds = found.reduce((sum, one) => sum + one.milliseconds, 0) / 1000;
  const end = found.every(({ isComplete }) => isComplete) ? '' : ', stopped early';
  return `${name.padEnd(16)} ${String(states).padStart(8)} states ${seconds.toFixed(1).padStart(5)} s${end}`;
}
