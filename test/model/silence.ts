/**
 * What becomes of a world in which, from now on, nobody answers: the engine goes on alone, and must
 * come to an outcome or to a person. Also the check that no state is a dead end.
 */
import { type Store } from './store';
import { journalKey, type World } from './world';
import { TICK_MS } from './shape';

/** Far more steps than any schedule has before patience is spent. */
const MOST_STEPS = 60;

const checked = new WeakMap<Store, Set<string>>();

/** Null if the engine comes to an end by itself; otherwise what is wrong, in words. */
export function staysSilent(world: World, store: Store): string | null {
  const known = checked.get(store) ?? new Set<string>();
  checked.set(store, known);
  const passed: string[] = [];
  let at = world;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const key = journalKey(at);
    const { step, nextStepAt, status } = store.standing(at);
    if (known.has(key) || step.kind === 'finish' || step.kind === 'review') {
      for (const one of passed) known.add(one);
      return null;
    }
    passed.push(key);
    if (nextStepAt === null) return `P4: ${status} without a next step`;
    const next = alone(at, store);
    if (next === null) return 'P4: the permit that the rules grant is never given';
    at = next;
  }
  return 'P4: with a provider that stays silent it goes on for ever';
}

/** The engine's next step, unanswered. Times off the ticks are met at the next tick. */
export function alone(world: World, store: Store): World | null {
  const { step } = store.standing(world);
  if (step.kind === 'send') {
    const opened = store.open(world, step);
    return opened === null ? null : opened.world;
  }
  if (step.kind === 'look_up') {
    const silent = { effect: 'apply', attempt: null, source: 'look_up', code: 'U' } as const;
    return store.record(world, { ...silent, askedAt: world.now }).world;
  }
  const until = step.kind === 'wait' ? step.until : world.now;
  const now = Math.max(Math.ceil(until / TICK_MS) * TICK_MS, world.now + TICK_MS);
  return { ...world, now };
}
