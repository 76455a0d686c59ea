/**
 * Processes that a test file started. Whatever becomes of its tests, they end with it
 * (`own-children-environment.cjs`): one that is left behind, perhaps frozen, holds the runner's pipes open
 * and the whole run never ends.
 */
import { type ChildProcess } from 'node:child_process';

declare global {
  var ownChildren: Set<ChildProcess> | undefined;
}

/** Notes a child, until it exits. */
export function own<Child extends ChildProcess>(child: Child): Child {
  globalThis.ownChildren ??= new Set();
  const living = globalThis.ownChildren;
  living.add(child);
  child.once('exit', () => living.delete(child));
  return child;
}
