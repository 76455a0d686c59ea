/**
 * The provider: what a request does when it lands, and what a look-up may answer. Where the contract
 * leaves it open, every possibility is returned.
 */
import { type Attempt } from '../../domain/journal';
import { type Shape } from './shape';
import { type Charge, type ChargeState, replaced, type Saved, type World } from './world';

/** One way in which a request may end at the provider: its ledger after it, and its answer. */
export interface Landing {
  readonly what: string;
  readonly charges: readonly Charge[];
  readonly saved: readonly Saved[];
  readonly answer: string;
}

/** Every way in which the request of attempt `index` may end if it lands now. */
export function landings(world: World, index: number, shape: Shape): readonly Landing[] {
  const attempt = world.attempts[index];
  if (attempt === undefined) return [];
  const saved = world.saved.find(
    (one) => one.effect === attempt.effect && one.generation === attempt.generation,
  );
  if (saved !== undefined) {
    const { charges } = world;
    return [{ what: 'is a repeat', charges, saved: world.saved, answer: saved.answer }];
  }
  const arrival = { world, shape, attempt, index };
  return attempt.effect === 'apply' ? charging(arrival) : voiding(arrival);
}

interface Arrival {
  readonly world: World;
  readonly shape: Shape;
  readonly attempt: Attempt;
  readonly index: number;
}

function charging(arrival: Arrival): readonly Landing[] {
  const { world, shape, index } = arrival;
  const { provider } = shape;
  const id = world.charges.length + 1;
  const entry = (state: ChargeState): readonly Charge[] => {
    const before = shape.contract.lookUp === null ? state : null;
    const sight = shape.contract.lookUp?.seesBackMs ?? 'forever';
    const landedAt = sight === 'forever' ? 0 : world.now;
    return [...world.charges, { attempt: index, state, before, changedAt: world.now, landedAt }];
  };
  const ways = [landing(arrival, 'charges', { charges: entry('live'), answer: `A${id}` })];
  if (provider.declines) {
    ways.push(landing(arrival, 'is declined', { charges: entry('declined'), answer: 'R' }));
  }
  if (provider.refuses) {
    const { charges } = world;
    ways.push(landing(arrival, 'is refused, and nothing is saved', { charges, answer: 'X' }));
  }
  if (provider.pends) {
    ways.push(landing(arrival, 'is pending', { charges: entry('pending'), answer: `P${id}` }));
  }
  if (provider.freezes) {
    const { charges } = world;
    ways.push(
      landing(arrival, 'charges, and an error is saved', { charges: entry('live'), answer: 'F' }),
      landing(arrival, 'fails, and the error is saved', { charges, answer: 'F' }),
    );
  }
  return ways;
}

function voiding(arrival: Arrival): readonly Landing[] {
  const { world, shape, index } = arrival;
  const target = world.requests[index]?.target ?? 0;
  const charge = world.charges[target];
  const { charges } = world;
  const refused = landing(arrival, 'is refused', { charges, answer: 'R' });
  if (charge === undefined) return [refused];
  const answer = `V${target + 1}`;
  if (charge.state === 'reverted') return [landing(arrival, 'is a repeat', { charges, answer })];
  if (charge.state !== 'live') return [refused];
  const undone = changed(charge, 'reverted', arrival);
  const done = landing(arrival, 'undoes the charge', {
    charges: replaced(charges, target, undone),
    answer,
  });
  return shape.provider.refusesVoids ? [done, refused] : [done];
}

/** With a key the answer is saved, a rejection only if the contract says so. */
function landing(
  { world, shape, attempt }: Arrival,
  what: string,
  result: Pick<Landing, 'charges' | 'answer'>,
): Landing {
  const { key } = shape.contract;
  const isSaved =
    key !== null && result.answer !== 'X' && (result.answer !== 'R' || key.savesRejections);
  const { effect, generation } = attempt;
  const at = typeof key?.windowMs === 'number' ? world.now : 0;
  const entry = { effect, generation, answer: result.answer, at };
  return { what, ...result, saved: isSaved ? [...world.saved, entry] : world.saved };
}

/** A charge that changes; a lagging look-up may go on showing what it was. */
export function changed(
  charge: Charge,
  state: ChargeState,
  { world, shape }: Pick<Arrival, 'world' | 'shape'>,
): Charge {
  const before = shape.contract.lookUp === null ? state : charge.state;
  return { ...charge, state, before, changedAt: world.now };
}

/** Whether a saved answer is gone: a window counts from the request that it answered. */
export function isForgotten(saved: Saved, now: number, shape: Shape): boolean {
  const window = shape.contract.key?.windowMs;
  return typeof window === 'number' && now >= saved.at + window;
}

/** Every answer that a look-up which the provider handles now may truthfully give. */
export function lookUpAnswers(world: World, shape: Shape): readonly string[] {
  let combinations: readonly (readonly (string | null)[])[] = [[]];
  world.charges.forEach((charge, index) => {
    const shown = [...new Set(shownAs(charge, index, { world, shape }))];
    combinations = combinations.flatMap((rest) => shown.map((one) => [...rest, one]));
  });
  return [...new Set(combinations.map(answerFor))];
}

function shownAs(
  charge: Charge,
  index: number,
  { world, shape }: Pick<Arrival, 'world' | 'shape'>,
): readonly (string | null)[] {
  const lookUp = shape.contract.lookUp;
  const sight = lookUp?.seesBackMs ?? 'forever';
  if (sight !== 'forever' && world.now > charge.landedAt + sight) return [null];
  const lags = world.now <= charge.changedAt + (lookUp?.lagMs ?? 0);
  const shown = [charge.state, ...(lags ? [charge.before] : [])].map((state) => {
    if (state === null || (state === 'declined' && !shape.provider.listsDeclines)) return null;
    return codeOf(state, index + 1);
  });
  return shape.provider.hides ? [...shown, null] : shown;
}

function answerFor(shown: readonly (string | null)[]): string {
  const listed = shown.filter((one) => one !== null);
  const effects = listed.filter((one) => one !== 'R');
  if (effects.length > 1) return 'C';
  return effects[0] ?? listed[0] ?? 'M';
}

/** What is said of a charge in that state. */
export function codeOf(state: ChargeState, id: number): string {
  return { live: `A${id}`, pending: `P${id}`, declined: 'R', reverted: `V${id}` }[state];
}
