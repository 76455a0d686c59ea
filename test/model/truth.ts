/**
 * P4: whoever waits for a person can be brought to an end by a person who tells the truth, alone where
 * the provider answers, with a second one where it stays silent.
 */
import { decisionRefusal } from '../../domain/decision';
import { isFinal } from '../../domain/status';
import { decide, isLive, quiet } from './operator';
import { lookUpAnswers } from './provider';
import { TICK_MS } from './shape';
import { alone } from './silence';
import { type Store } from './store';
import { journalKey, type World } from './world';

/** More than a review, its look-ups and another review need. */
const MOST_STEPS = 40;
const MOST_DECISIONS = 3;

const checked = new WeakMap<Store, Set<string>>();

/** Null if the truth ends it, or nobody is asked; otherwise what is wrong, in words. */
export function endsByTruth(world: World, store: Store): string | null {
  if (isFinal(world.status) || store.standing(world).step.kind !== 'review') return null;
  const known = checked.get(store) ?? new Set<string>();
  checked.set(store, known);
  const later = quiet(world, store.shape);
  // Only where a look-up forgets does it matter when the person is asked.
  const forgets = typeof store.shape.contract.lookUp?.seesBackMs === 'number';
  const key = `${journalKey(forgets ? later : { ...later, now: 0 })}${isLive(later) ? 'l' : ''}`;
  if (known.has(key)) return null;
  known.add(key);
  const truth = isLive(later) ? 'applied' : 'not_applied';
  const reached = (['answering', 'silent'] as const).filter(
    (provider) => !isEnded(later, store, { decision: truth, override: provider === 'silent' }),
  );
  return reached.length === 0 ? null : `P4: ${truth} is true and ends nothing (${reached.join()})`;
}

interface Truth {
  readonly decision: 'applied' | 'not_applied';
  /** Two persons, since the provider stays silent. */
  readonly override: boolean;
}

/**
 * The same truth again whenever a person is asked again; by two where another decision waits, and where
 * it is refused, the next look-up.
 */
function isEnded(world: World, store: Store, truth: Truth): boolean {
  let at: World | null = world;
  let decisions = 0;
  for (let steps = 0; steps < MOST_STEPS && at !== null; steps += 1) {
    const { step, nextStepAt } = store.standing(at);
    if (isFinal(at.status) || step.kind === 'finish') return true;
    const asks = step.kind === 'look_up' && !truth.override;
    if (step.kind !== 'review') {
      at = asks ? answered(at, store) : alone(at, store);
      continue;
    }
    const before: World = quiet(at, store.shape);
    decisions += 1;
    if (decisions > MOST_DECISIONS) return false;
    const legal = [truth, { ...truth, override: true }].find(
      (one) => decisionRefusal(one, store.situation(before)) === null,
    );
    if (legal !== undefined) {
      at = decide(before, store, legal).world;
    } else {
      if (nextStepAt === null || truth.override) return false;
      const now = Math.max(before.now, Math.ceil(nextStepAt / TICK_MS) * TICK_MS);
      at = answered({ ...before, now }, store);
    }
  }
  return false;
}

/** A look-up that tells the truth. */
function answered(world: World, store: Store): World {
  const code = lookUpAnswers(world, store.shape).at(0) ?? 'U';
  const found = { effect: 'apply', attempt: null, source: 'look_up', code } as const;
  return store.record(world, { ...found, askedAt: world.now }).world;
}
