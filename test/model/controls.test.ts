/** The checker finds what is wrong: every clause taken out, every wrong rule, every broken promise. */
import { type Control, CLAUSES, WRONG_RULES } from './controls';
import { explore } from './explore';
import { isDeep } from './depth';

/** A control whose story is not found by then is a control that failed. */
const MOST_STATES = 400_000;

function expectFound({ shape, engine, breaks }: Control): void {
  const { counterexample } = explore(shape, engine, {
    mostStates: MOST_STATES,
    looksFor: breaks,
  });
  expect(counterexample).toMatch(breaks);
  if (isDeep()) process.stdout.write(`${counterexample ?? ''}\n`);
}

describe('a clause taken out is found: story', () => {
  it.each(CLAUSES)('$name', expectFound);
});

describe('a wrong rule is found:', () => {
  it.each(WRONG_RULES)('$name', expectFound);
});
