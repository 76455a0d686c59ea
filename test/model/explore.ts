/**
 * Breadth first through every world that can be reached: the first state that breaks a property is
 * therefore reached by a shortest story.
 */
import { type Engine } from './engine';
import { type Move, moves } from './moves';
import { brokenBy } from './properties';
import { type Shape } from './shape';
import { Store } from './store';
import { type Chapter, tellStory } from './story';
import { worldKey, type World } from './world';

/** What an exploration found. */
export interface Exploration {
  readonly states: number;
  readonly milliseconds: number;
  /** The shortest story that breaks a property; null where none does. */
  readonly counterexample: string | null;
  /** False if it was stopped by `mostStates` before everything was seen. */
  readonly isComplete: boolean;
}

/** What to search for, and how long. */
export interface Search {
  readonly mostStates?: number;
  /** A wrong rule may break several properties: the one that is to be shown; otherwise any. */
  readonly looksFor?: RegExp;
}

/** Memory, not time, is what runs out first. */
const MOST_STATES = 2_000_000;

/** Explores the world of `shape` under the rules of `engine`. */
export function explore(shape: Shape, engine: Engine, search: Search = {}): Exploration {
  const { mostStates = MOST_STATES, looksFor = /^/ } = search;
  const store = new Store(engine, shape);
  const started = performance.now();
  const seen = new Set<string>();
  const chapters: Chapter[] = [];
  let layer: Found[] = [];
  const found: { story: string | null } = { story: null };

  const visit = (move: Move, parent: number, next: Found[]): void => {
    if (found.story !== null) return;
    const key = move.broken === null ? worldKey(move.world) : '';
    if (key !== '' && seen.has(key)) return;
    seen.add(key);
    const number = chapters.push({ parent, at: move.world.now, say: move.say }) - 1;
    const broken = move.broken ?? brokenBy(move.world, store);
    if (broken !== null && looksFor.test(broken)) found.story = tellStory(chapters, number, broken);
    else if (move.broken === null) next.push({ world: move.world, number });
  };

  const first: Found[] = [];
  visit({ say: 'the intent is recorded', world: beginning(shape), broken: null }, -1, first);
  layer = first;
  while (layer.length > 0 && found.story === null && chapters.length < mostStates) {
    const next: Found[] = [];
    for (const { world, number } of layer) {
      for (const move of moves(world, store)) visit(move, number, next);
    }
    layer = next;
  }
  return {
    states: chapters.length,
    milliseconds: performance.now() - started,
    counterexample: found.story,
    isComplete: found.story === null && layer.length === 0,
  };
}

interface Found {
  readonly world: World;
  readonly number: number;
}

/** Recorded, nothing sent. */
function beginning({ bound }: Shape): World {
  return {
    now: 0,
    status: 'accepted',
    cancelAt: null,
    attempts: [],
    requests: [],
    seen: [],
    charges: [],
    saved: [],
    question: null,
    stalled: null,
    isOut: false,
    operator: null,
    left: bound,
  };
}
