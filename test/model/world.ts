/**
 * One state of the abstract world: the clock, the journal as PostgreSQL holds it, what is on the
 * network, the provider's ledger, and who is in the middle of something. Immutable; two states with
 * one key are one state.
 */
import { type Attempt, type Effect, type Journal, type Observation } from '../../domain/journal';
import { type Status } from '../../domain/status';
import { type SendStep } from '../../domain/step';
import { TICK_MS } from './shape';

/** The request of one attempt, and the worker that waits for its answer. */
export interface Request {
  /** Copies of it that may still land. */
  readonly copies: number;
  /** The answer that reached the worker and is not recorded yet; a finding's code. */
  readonly answer: string | null;
  /** The worker has recorded, or can record nothing any more. */
  readonly isOver: boolean;
  /** For an attempt to undo: which charge, as an index of the ledger. */
  readonly target: number | null;
}

export type ChargeState = 'live' | 'pending' | 'declined' | 'reverted';

/** A line of the provider's ledger, the oracle of every property. */
export interface Charge {
  /** The attempt that made it, as an index. */
  readonly attempt: number;
  readonly state: ChargeState;
  /** What a lagging look-up may still show, until `changedAt` + lag. */
  readonly before: ChargeState | null;
  readonly changedAt: number;
  readonly landedAt: number;
}

/** An answer that the provider saved under a key. */
export interface Saved {
  readonly effect: Effect;
  readonly generation: number;
  readonly answer: string;
  readonly at: number;
}

/** A look-up whose worker is slow: asked, perhaps answered, not recorded. */
interface Question {
  readonly askedAt: number;
  readonly answer: string | null;
}

/** A piece of evidence with its part of the key. */
export interface Seen {
  readonly observation: Observation;
  readonly key: string;
}

/** What the story may still use up; see `Bound`. */
export interface Left {
  readonly lookUps: number;
  readonly troubles: number;
  readonly notes: number;
  readonly stalls: number;
  readonly cancels: number;
  readonly outages: number;
  readonly lateAnswers: number;
  readonly slowLookUps: number;
  readonly decisions: number;
  readonly overrides: number;
}

/**
 * What operators have said so far: true things; something wrong that a look-up could show; something
 * wrong against which two persons stand, so that only a silent look-up excuses it; something wrong that
 * no look-up can show.
 */
export type Operator = 'right' | 'wrong' | 'overriding' | 'unseen';

export interface World {
  readonly now: number;
  readonly status: Status;
  readonly cancelAt: number | null;
  readonly attempts: readonly Attempt[];
  /** One for each attempt. */
  readonly requests: readonly Request[];
  readonly seen: readonly Seen[];
  readonly charges: readonly Charge[];
  readonly saved: readonly Saved[];
  readonly question: Question | null;
  /** What a frozen run had decided. */
  readonly stalled: SendStep | null;
  /** The whole engine is down. */
  readonly isOut: boolean;
  /** Null until one decided. */
  readonly operator: Operator | null;
  readonly left: Left;
}

/** What the rules read of it. */
export function journalOf(world: World): Journal {
  return {
    status: world.status,
    createdAt: 0,
    cancelRequestedAt: world.cancelAt,
    readAt: world.now,
    attempts: world.attempts,
    observations: world.seen.map((one) => one.observation),
  };
}

const tick = (ms: number): string => (ms / TICK_MS).toString(36);

/** Everything that a decision depends on. */
export function journalKey(world: World): string {
  let key = `${tick(world.now)}${world.cancelAt === null ? '-' : 'c'}`;
  for (const one of world.attempts) {
    key += `${one.effect === 'apply' ? 'a' : 'r'}${tick(one.openedAt)}${one.generation}`;
    if (one.verdict !== null) key += 's';
  }
  for (const one of world.seen) key += one.key;
  return key;
}

/** Equal for equal states. */
export function worldKey(world: World): string {
  const { left, question, stalled } = world;
  let key = `${journalKey(world)}|${world.status}${left.lookUps}${left.notes}${left.stalls}`;
  key += `${left.troubles}${left.outages}${left.lateAnswers}${left.slowLookUps}${left.decisions}${left.overrides}${world.operator?.charAt(0) ?? '-'}${world.isOut ? '!' : '|'}`;
  for (const { copies, answer, isOver } of world.requests) {
    key += isOver && copies === 0 ? '.' : `${copies}${isOver ? '!' : (answer ?? '?')},`;
  }
  for (const one of world.charges) {
    key += `/${one.attempt}${one.state}${tick(one.landedAt)}`;
    if (one.before !== one.state) key += `<${one.before ?? ''}${tick(one.changedAt)}`;
  }
  for (const one of world.saved)
    key += `;${one.effect}${one.generation}${one.answer}${tick(one.at)}`;
  if (question !== null) key += `?${tick(question.askedAt)}${question.answer ?? ''}`;
  if (stalled !== null) key += `#${stalled.effect}${stalled.number}${stalled.generation}`;
  return key;
}

/** Something that a story may hold only so many of. */
export type Trouble = 'outages' | 'lateAnswers' | 'slowLookUps' | 'stalls' | 'notes';

/** What is left after one more trouble of that kind; null if there may be no more. */
export function after(trouble: Trouble, { left }: World): Left | null {
  if (left.troubles === 0 || left[trouble] === 0) return null;
  return { ...left, troubles: left.troubles - 1, [trouble]: left[trouble] - 1 };
}

/** The list with one entry replaced. */
export function replaced<Item>(list: readonly Item[], index: number, item: Item): readonly Item[] {
  return list.map((one, at) => (at === index ? item : one));
}
