/**
 * The operator, who may err: any decision that is legal, at any moment, true or not; alone, or with a
 * second person who approves an override. And the one who does not err, for the question whether a
 * person can always bring an intent to its end.
 */
import { type Decided, type DecisionKind } from '../../domain/journal';
import { isFinal } from '../../domain/status';
import { type Move } from './moves';
import { type Shape, TICK_MS } from './shape';
import { type Store, type Written } from './store';
import { type Operator, type World } from './world';

const KINDS: readonly DecisionKind[] = ['applied', 'not_applied', 'retry'];

export function operatorMoves(world: World, store: Store, list: Move[]): void {
  const { left } = world;
  if (left.decisions === 0 || isFinal(world.status)) return;
  for (const decision of KINDS) {
    for (const override of left.overrides > 0 ? [false, true] : [false]) {
      const what = { decision, override };
      if (store.engine.refuses && !store.mayDecide(world, what)) continue;
      const spent = {
        ...left,
        decisions: left.decisions - 1,
        overrides: left.overrides - (override ? 1 : 0),
      };
      const operator = judge(what, world, store.shape);
      const words = `${override ? 'two operators decide' : 'an operator decides'} ${decision}`;
      list.push({
        say: `${words}${operator === 'right' ? '' : ', wrongly'}`,
        ...decide({ ...world, left: spent, operator }, store, what),
      });
    }
  }
}

/** Records a decision about every attempt so far. */
export function decide(
  world: World,
  store: Store,
  { decision, override }: Pick<Decided, 'decision' | 'override'>,
): Written {
  const attempts = world.attempts.filter((one) => one.effect === 'apply').length;
  const code = `D${decision.charAt(0)}${attempts}${override ? '!' : ''}`;
  const found = { effect: 'apply', attempt: null, source: 'operator', code } as const;
  return store.record(world, { ...found, askedAt: world.now });
}

/** Whether the ledger agrees, and if not, whether a look-up could show that. */
function judge(
  { decision, override }: Pick<Decided, 'decision' | 'override'>,
  world: World,
  shape: Shape,
): Operator {
  const isTrue = decision === 'applied' ? isLive(world) : !isLive(world) && !mayLand(world);
  if (isTrue) return world.operator === null ? 'right' : world.operator;
  if (shape.provider.hides || world.now > sightEnds(world, shape)) return 'unseen';
  return override ? 'overriding' : 'wrong';
}

function sightEnds({ attempts }: World, { contract }: Shape): number {
  if (contract.lookUp === null) return -1;
  const { seesBackMs } = contract.lookUp;
  return seesBackMs === 'forever' ? Infinity : (attempts[0]?.openedAt ?? 0) + seesBackMs;
}

export function isLive({ charges }: World): boolean {
  return charges.some((one) => one.state === 'live');
}

/** What is on its way, or taken by the provider and not done. */
function mayLand({ charges, requests, attempts }: World): boolean {
  return (
    charges.some((one) => one.state === 'pending') ||
    requests.some(({ copies }, index) => copies > 0 && attempts[index]?.effect === 'apply')
  );
}

/** The world when all is quiet: nothing on its way, nobody busy, pending charges applied. */
export function quiet(world: World, { contract }: Shape): World {
  const last = Math.max(0, ...world.attempts.map((one) => one.openedAt));
  const { budgetMs, horizonMs } = contract.send;
  const lag = contract.lookUp?.lagMs ?? 0;
  return {
    ...world,
    now: Math.max(world.now, last + budgetMs + horizonMs + lag + 2 * TICK_MS),
    requests: world.requests.map((one) => ({ ...one, copies: 0, answer: null, isOver: true })),
    charges: world.charges.map((one) => {
      const state = one.state === 'pending' ? 'live' : one.state;
      return { ...one, state, before: state };
    }),
    question: null,
    stalled: null,
    isOut: false,
  };
}
