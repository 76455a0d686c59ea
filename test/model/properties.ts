/** What no state may show, with the provider's ledger as the oracle. Names as in docs/decision-rules.md. */
import { staysSilent } from './silence';
import { endsByTruth } from './truth';
import { type Store } from './store';
import { type World } from './world';

/** The first property that a state breaks, in words; null where all hold. */
export function brokenBy(world: World, store: Store): string | null {
  return (
    twoEffects(world, store) ??
    wrongOutcome(world) ??
    noWayOn(world, store) ??
    endsByTruth(world, store)
  );
}

/** P1: two attempts had an effect, or, where the provider keeps keys, any two requests. */
function twoEffects(world: World, { shape }: Store): string | null {
  const effects = world.charges.filter((one) => one.state !== 'declined');
  if (effects.length < 2) return null;
  const { key, lookUp } = shape.contract;
  const attempts = new Set(effects.map((one) => one.attempt));
  // A wrong word may double an effect only where no key holds requests together and nobody can see.
  const isBlind = key === null && (lookUp === null || shape.provider.hides);
  if (isBlind && world.operator === 'unseen') return null;
  const preventable = attempts.size > 1 || key !== null;
  return preventable ? 'P1: two effects that the contract could have prevented' : null;
}

/**
 * P2 and P3; P7 where an operator's error is the reason, and a look-up could have shown it. What may
 * still land is found too: the world goes on after the end.
 */
function wrongOutcome(world: World): string | null {
  const wrong = falseOutcome(world);
  if (wrong === null || isExcused(world)) return null;
  const erred = world.operator === 'wrong' || world.operator === 'overriding';
  return erred ? `P7: an error that a look-up could have shown; ${wrong.slice(4)}` : wrong;
}

function falseOutcome({ status, charges }: World): string | null {
  const exists = charges.some((one) => one.state === 'live' || one.state === 'pending');
  if ((status === 'failed' || status === 'canceled') && exists) {
    return `P2: the intent ended ${status} and an effect exists`;
  }
  const live = charges.some((one) => one.state === 'live');
  if (status === 'succeeded' && !live) return 'P3: the intent ended succeeded and no effect exists';
  return null;
}

/** No look-up could show the error, or two persons stood for it and the look-up was silent. */
function isExcused({ operator, seen }: World): boolean {
  if (operator === 'unseen') return true;
  const decided = seen.findLastIndex((one) => one.observation.source === 'operator');
  const asked = seen
    .slice(decided + 1)
    .some(({ observation: one }) => one.source === 'look_up' && one.finding.kind === 'unknown');
  return operator === 'overriding' && asked;
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
