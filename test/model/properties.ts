/** What no state may show, with the provider's ledger as the oracle. Names as in docs/decision-rules.md. */
import { type Status } from '../../domain/status';
import { staysSilent } from './silence';
import { type Store } from './store';
import { type World } from './world';

/** The first property that a state breaks, in words; null where all hold. */
export function brokenBy(world: World, store: Store): string | null {
  return twoEffects(world, store) ?? wrongOutcome(world) ?? noWayOn(world, store);
}

/** P1: two attempts had an effect, or, where the provider keeps keys, any two requests. */
function twoEffects(world: World, { shape }: Store): string | null {
  const effects = world.charges.filter((one) => one.state !== 'declined');
  if (effects.length < 2) return null;
  const attempts = new Set(effects.map((one) => one.attempt));
  const preventable = attempts.size > 1 || shape.contract.key !== null;
  return preventable ? 'P1: two effects that the contract could have prevented' : null;
}

/** P2 and P3. What may still land is found too: the world goes on after the end. */
function wrongOutcome(world: World): string | null {
  const status: Status = world.status;
  const exists = world.charges.some((one) => one.state === 'live' || one.state === 'pending');
  if ((status === 'failed' || status === 'canceled') && exists) {
    return `P2: the intent ended ${status} and an effect exists`;
  }
  const live = world.charges.some((one) => one.state === 'live');
  if (status === 'succeeded' && !live) return 'P3: the intent ended succeeded and no effect exists';
  return null;
}

/** P4: an unknown has a next step with a time, and silence for ever ends with a person. */
function noWayOn(world: World, store: Store): string | null {
  if (world.status === 'succeeded' || world.status === 'failed' || world.status === 'canceled') {
    return null;
  }
  const next = store.standing(world);
  if (next.step.kind === 'finish' || next.step.kind === 'review') return null;
  if (next.nextStepAt === null) return `P4: ${next.status} without a next step`;
  return staysSilent(world, store);
}
