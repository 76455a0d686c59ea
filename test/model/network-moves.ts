/** The network and the waiting workers: copies land, answers arrive late or never, workers record. */
import { isFinal } from '../../domain/status';
import { type Move } from './moves';
import { landings } from './provider';
import { type Store, withRequest, type Written } from './store';
import { wordsFor } from './findings';
import { after, type World } from './world';

export function networkMoves(world: World, store: Store, list: Move[]): void {
  world.requests.forEach((request, index) => {
    if (request.copies > 0) land(world, index, { store, list });
    if (!request.isOver && !isFinal(world.status)) answer(world, index, { store, list });
  });
}

interface Means {
  readonly store: Store;
  readonly list: Move[];
}

/** What attempt `index` is called in a story. */
export function nameOf({ attempts }: World, index: number): string {
  const attempt = attempts[index];
  return `${attempt?.effect === 'revert' ? 'undo' : 'attempt'} ${attempt?.number ?? index}`;
}

/** A copy lands. Its answer is recorded at once, or late, or it never arrives. */
function land(world: World, index: number, { store, list }: Means): void {
  const request = world.requests[index];
  if (request === undefined) return;
  const copies = request.copies - 1;
  const isHeard = request.answer === null && !request.isOver && !isFinal(world.status);
  const left = after('lateAnswers', world);
  for (const { what, charges, saved, answer: code } of landings(world, index, store.shape)) {
    const say = `${nameOf(world, index)} lands and ${what}`;
    const landed = withRequest({ ...world, charges, saved }, index, { copies });
    list.push({ say: `${say}; the answer is lost`, world: landed, broken: null });
    if (!isHeard) continue;
    list.push({
      say: `${say}; the worker records: ${wordsFor(code)}`,
      ...record(landed, index, { store, code }),
    });
    if (left === null) continue;
    const slow = { ...landed, left };
    list.push({
      say: `${say}; the worker that hears it is slow`,
      world: withRequest(slow, index, { answer: code }),
      broken: null,
    });
  }
}

/** The answer to the request of attempt `index`, written down. */
function record(
  world: World,
  index: number,
  { store, code }: { readonly store: Store; readonly code: string },
): Written {
  const attempt = world.attempts[index];
  if (attempt === undefined) return { world, broken: null };
  const { effect, number, openedAt: askedAt } = attempt;
  const over = withRequest(world, index, { answer: null, isOver: true });
  return store.record(over, { effect, attempt: number, source: 'response', code, askedAt });
}

/** A slow worker writes down what it heard; one that heard nothing says so; or no byte left. */
function answer(world: World, index: number, { store, list }: Means): void {
  const request = world.requests[index];
  const attempt = world.attempts[index];
  if (request === undefined || attempt === undefined) return;
  const hears = (code: string, copies: number) => {
    list.push({
      say: `the worker records the answer to ${nameOf(world, index)}: ${wordsFor(code)}`,
      ...record(withRequest(world, index, { copies }), index, { store, code }),
    });
  };
  if (request.answer !== null) {
    hears(request.answer, request.copies);
    return;
  }
  // A reset comes at once, a time-out at the deadline.
  const { sendDeadline, openedAt } = attempt;
  if (world.now === sendDeadline || world.now === openedAt) hears('U', request.copies);
  const { mayRepeat } = store.shape.contract.send;
  const nothingLanded = request.copies === (mayRepeat ? 2 : 1);
  if (!nothingLanded || world.now > sendDeadline) return;
  hears('N', 0);
  // One copy is turned away at the provider's door, the other one is still on its way.
  if (mayRepeat) hears('Q', 1);
}
