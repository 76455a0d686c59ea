/**
 * Everything that may happen next in a world: to the engine, to the network, at the provider, by the
 * caller, and the passing of time. Whoever may act may also stay idle, for ever: that is a worker
 * that died, a run that froze, a packet that was lost.
 */
import { isFinal } from '../../domain/status';
import { engineMoves } from './engine-moves';
import { networkMoves } from './network-moves';
import { operatorMoves } from './operator';
import { changed, codeOf, isForgotten } from './provider';
import { type Shape, TICK_MS } from './shape';
import { type Store, type Written } from './store';
import { after, replaced, type World } from './world';

/** One thing that may happen, in words, and what it makes of the world. */
export interface Move extends Written {
  readonly say: string;
}

/** All of them. */
export function moves(world: World, store: Store): readonly Move[] {
  const { shape } = store;
  const list: Move[] = [];
  networkMoves(world, store, list);
  settling(world, shape, list);
  let isDue = false;
  if (!isFinal(world.status)) {
    isDue = engineMoves(world, store, list);
    cancel(world, list);
    notifications(world, store, list);
    operatorMoves(world, store, list);
  }
  if (!isDue) passTime(world, store, list);
  return list;
}

/** A pending charge ends, one way or the other. */
function settling(world: World, shape: Shape, list: Move[]): void {
  world.charges.forEach((charge, index) => {
    if (charge.state !== 'pending') return;
    for (const state of ['live', 'declined'] as const) {
      const settled = changed(charge, state, { world, shape });
      list.push({
        say: `the provider settles charge ${index + 1}: ${state === 'live' ? 'applied' : 'declined'}`,
        world: { ...world, charges: replaced(world.charges, index, settled) },
        broken: null,
      });
    }
  });
}

function cancel(world: World, list: Move[]): void {
  if (world.cancelAt !== null || world.left.cancels === 0) return;
  list.push({
    say: 'the caller cancels, and the cancel is accepted',
    world: { ...world, cancelAt: world.now, left: { ...world.left, cancels: 0 } },
    broken: null,
  });
}

function notifications(world: World, store: Store, list: Move[]): void {
  const left = after('notes', world);
  if (left === null || world.attempts.length === 0) return;
  for (const code of notes(world, store.shape)) {
    const found = { effect: 'apply', attempt: null, source: 'notification', code } as const;
    const told = store.record({ ...world, left }, { ...found, askedAt: world.now });
    list.push({ say: `a notification says: ${code}`, ...told });
  }
}

/** A true one tells a state that a charge has, or has had. */
function notes(world: World, shape: Shape): readonly string[] {
  if (shape.notes === 'none') return [];
  if (shape.notes === 'lying') return ['A1', 'R', 'V1', 'P1'];
  const told = world.charges.flatMap(({ state }, index) =>
    state === 'reverted'
      ? ['A', 'V'].map((one) => `${one}${index + 1}`)
      : [codeOf(state, index + 1)],
  );
  return [...new Set(told)];
}

/** One tick. Nothing is timed before the first permit, since every story may as well start there. */
function passTime(world: World, store: Store, list: Move[]): void {
  const { shape } = store;
  const now = world.now + TICK_MS;
  if (world.attempts.length === 0 || now > shape.bound.ticks * TICK_MS) return;
  if (isFinal(world.status) && !mayStillChange(world)) return;
  const later = {
    ...world,
    now,
    saved: world.saved.filter((one) => !isForgotten(one, now, shape)),
    charges: world.charges.map((one) =>
      now > one.changedAt + (shape.contract.lookUp?.lagMs ?? 0)
        ? { ...one, before: one.state }
        : one,
    ),
    requests: world.requests.map((request, index) => {
      const openedAt = world.attempts[index]?.openedAt ?? 0;
      const lost = now > openedAt + flightMs(shape);
      const copies = lost ? 0 : request.copies;
      const deadline = openedAt + shape.contract.send.budgetMs;
      const isDeaf = request.answer === null && copies === 0 && now > deadline;
      return { ...request, copies, isOver: request.isOver || isDeaf };
    }),
  };
  // What only time changes is written by a living worker; that one is dead makes no difference to
  // the rules, which never read the status.
  const next = store.standing(later).step.kind === 'finish' ? null : store.written(later);
  list.push({ say: '', ...(next ?? { world: later, broken: null }) });
}

function mayStillChange(world: World): boolean {
  return (
    world.requests.some((one) => one.copies > 0) ||
    world.charges.some((one) => one.state === 'pending')
  );
}

/** How long after its permit a request may land: budget, fence guard, horizon, and a planted slip. */
function flightMs({ contract, provider }: Shape): number {
  return contract.send.budgetMs + TICK_MS + contract.send.horizonMs + provider.slipMs;
}
