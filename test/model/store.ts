/**
 * The store's transactions, as far as decisions depend on them: permit, evidence, standing. They follow
 * `store/open-attempt.ts`, `record-finding.ts` and `write-standing.ts`; a final status is never left.
 */
import { type DecisionRequest, decisionRefusal } from '../../domain/decision';
import { type Standing } from '../../domain/standing';
import { type Attempt, type Observation } from '../../domain/journal';
import { isFinal, mayMove } from '../../domain/status';
import { type SendStep, type Situation } from '../../domain/step';
import { type Engine } from './engine';
import { findingOf } from './findings';
import { type Shape, TICK_MS } from './shape';
import { journalKey, journalOf, replaced, type Request, type Seen, type World } from './world';

/** What a transaction makes of the world, or what it breaks. */
export interface Written {
  readonly world: World;
  readonly broken: string | null;
}

/** The store under one engine and shape, with what it derived before. */
export class Store {
  readonly engine: Engine;
  readonly shape: Shape;
  private readonly derived = new Map<string, Standing>();
  private readonly decidable = new Map<string, boolean>();

  constructor(engine: Engine, shape: Shape) {
    this.engine = engine;
    this.shape = shape;
  }

  /** Where the intent stands by the rules; the status in the row plays no part in it. */
  standing(world: World): Standing {
    const key = journalKey(world);
    const before = this.derived.get(key);
    if (before !== undefined) return before;
    const next = this.engine.standing(this.situation(world));
    this.derived.set(key, next);
    return next;
  }

  /** Whether a decision would be recorded now. */
  mayDecide(world: World, request: DecisionRequest): boolean {
    const key = `${request.decision.charAt(0)}${request.override ? '!' : ''}${journalKey(world)}`;
    const before = this.decidable.get(key);
    if (before !== undefined) return before;
    const may = decisionRefusal(request, this.situation(world)) === null;
    this.decidable.set(key, may);
    return may;
  }

  /** What the rules read of a world. */
  situation(world: World): Situation {
    const { contract, bound, deadlineMs } = this.shape;
    const policy = { attemptCap: bound.applies, deadlineMs };
    return { journal: journalOf(world), contract, policy, now: world.now };
  }

  /** Writes the present standing: the one way in which a status changes. */
  written(world: World): Written {
    if (isFinal(world.status)) return { world, broken: null };
    const { status } = this.standing(world);
    if (status === world.status) return { world, broken: null };
    const broken = mayMove(world.status, status)
      ? null
      : `the store refuses the move from ${world.status} to ${status}, again and again`;
    return { world: { ...world, status }, broken };
  }

  /** Records a finding; kept in any case, and the standing after it is written. */
  record(world: World, found: NewFinding): Written {
    return this.written({ ...world, seen: [...world.seen, seen(found, world.now)] });
  }

  /** The permit for `step`; null where the rules, run again, do not grant it. */
  open(world: World, step: SendStep): Written | null {
    if (isFinal(world.status)) return null;
    const wanted = this.standing(world).step;
    const same =
      wanted.kind === 'send' &&
      wanted.effect === step.effect &&
      wanted.number === step.number &&
      wanted.generation === step.generation;
    if (!same && this.engine.permitUnderLock) return null;
    const { effect, number } = step;
    if (world.attempts.some((one) => one.effect === effect && one.number === number)) return null;
    if (!this.engine.supersedes && this.hasOpenAttempt(world, step)) {
      return { world, broken: 'the index of INV-3 refuses the permit, again and again' };
    }
    const opened = this.withAttempt(world, step);
    const after = this.written(opened);
    const misused = misusedPermit(world, step, this.shape.deadlineMs);
    return { world: after.world, broken: misused ?? after.broken };
  }

  /** True if a row of the effect has no verdict: not superseded, and nothing proven. */
  private hasOpenAttempt(world: World, { effect }: SendStep): boolean {
    const { belief } = this.standing(world);
    return world.attempts.some(
      (attempt) =>
        attempt.effect === effect &&
        attempt.verdict === null &&
        !belief.attempts.some((one) => one.attempt === attempt && one.proof !== null),
    );
  }

  private withAttempt(world: World, { effect, number, generation }: SendStep): World {
    const { contract } = this.shape;
    const attempt: Attempt = {
      effect,
      number,
      generation,
      openedAt: world.now,
      sendDeadline: world.now + contract.send.budgetMs,
      verdict: null,
    };
    const older = world.attempts.map((one): Attempt =>
      one.effect === effect && one.verdict === null ? { ...one, verdict: 'superseded' } : one,
    );
    const request: Request = {
      copies: contract.send.mayRepeat ? 2 : 1,
      answer: null,
      isOver: false,
      target: effect === 'revert' ? targetOf(world) : null,
    };
    return {
      ...world,
      attempts: [...older, attempt],
      requests: [...world.requests, request],
    };
  }
}

/** One piece of evidence to record. */
export interface NewFinding {
  readonly effect: Attempt['effect'];
  readonly attempt: number | null;
  readonly source: Observation['source'];
  readonly code: string;
  readonly askedAt: number;
}

function seen({ code, ...found }: NewFinding, now: number): Seen {
  const observation = { ...found, finding: findingOf(code), observedAt: now };
  const about = `${found.source.charAt(0)}${found.effect.charAt(0)}${found.attempt ?? ''}`;
  // When an answer was recorded matters for schedules, and where it is about absence for proof.
  const mayDelay = found.source === 'look_up' || 'URFPM'.includes(code.charAt(0));
  const dates = `${found.askedAt / TICK_MS}${mayDelay ? `-${now / TICK_MS}` : ''}`;
  return { observation, key: `(${about}${code}@${dates})` };
}

/** Rules 6 and 8 as properties: what no permit may be given for. */
function misusedPermit(
  world: World,
  { effect }: SendStep,
  deadlineMs: number | null,
): string | null {
  if (effect === 'revert') return null;
  if (deadlineMs !== null && world.now >= deadlineMs) {
    return 'P5: a send is permitted after the deadline';
  }
  if (world.cancelAt !== null) return 'P5: a send is permitted after an accepted cancel';
  const shown = world.seen.find(
    ({ observation: { source, finding } }) =>
      source !== 'notification' && ['applied', 'pending', 'reverted'].includes(finding.kind),
  );
  return shown === undefined
    ? null
    : 'P6: a send is permitted although the journal holds the effect';
}

/** The charge that the provider's id in the row names: the first one shown. */
function targetOf({ seen: list }: World): number | null {
  for (const { observation } of list) {
    const { finding } = observation;
    if ('providerId' in finding) return Number(finding.providerId.slice(3)) - 1;
  }
  return null;
}

/** The world with one request changed. */
export function withRequest(world: World, index: number, change: Partial<Request>): World {
  const request = world.requests[index];
  if (request === undefined) return world;
  return { ...world, requests: replaced(world.requests, index, { ...request, ...change }) };
}
