/**
 * The engine: a run takes the step that the rules name. Since permits and look-ups derive it again
 * under the lock, a run with an old journal differs from a fresh one only in what it asks for, so one
 * frozen decision stands for every stale, repeated or second run.
 */
import { type SendStep } from '../../domain/step';
import { wordsFor } from './findings';
import { type Move } from './moves';
import { nameOf } from './network-moves';
import { lookUpAnswers } from './provider';
import { type Store, withRequest } from './store';
import { after, type World } from './world';

/** Adds the engine's moves; true if one is due, so that no time passes before it unless it is down. */
export function engineMoves(world: World, store: Store, list: Move[]): boolean {
  const steps: Move[] = [];
  step(world, { store, list: steps });
  const isDue = steps.length > 0;
  if (!world.isOut) list.push(...steps);
  const left = after('outages', world);
  if (!world.isOut && isDue && left !== null) {
    const down = { ...world, isOut: true, left };
    list.push({ say: 'the engine goes down', world: down, broken: null });
  }
  if (world.isOut) {
    list.push({ say: 'the engine is back', world: { ...world, isOut: false }, broken: null });
  }
  if (world.stalled !== null) thaw(world, { store, list, step: world.stalled });
  if (world.question !== null) answerQuestion(world, { store, list });
  return isDue && !world.isOut;
}

/** What a fresh run does now. */
function step(world: World, { store, list }: Means): void {
  const next = store.standing(world);
  const isDue = next.nextStepAt !== null && next.nextStepAt <= world.now;
  switch (next.step.kind) {
    case 'send':
      send(world, { store, list, step: next.step });
      return;
    case 'finish':
      list.push({ say: 'the outcome is recorded', ...store.written(world) });
      return;
    case 'look_up':
      ask(world, { store, list });
      return;
    case 'review':
      if (isDue) ask(world, { store, list });
      return;
    case 'wait':
      return;
  }
}

interface Means {
  readonly store: Store;
  readonly list: Move[];
}

function send(world: World, { store, list, step }: Means & { readonly step: SendStep }): void {
  const { bound } = store.shape;
  const most = step.effect === 'apply' ? bound.applies : bound.reverts;
  const opened = world.attempts.filter((one) => one.effect === step.effect).length;
  if (opened >= most) return;
  const opening = store.open(world, step);
  const what = `${step.effect === 'revert' ? 'undo' : 'attempt'} ${step.number} (key ${step.generation})`;
  if (opening !== null) list.push({ say: `a run opens ${what}`, ...opening });
  const left = after('stalls', world);
  if (world.stalled === null && left !== null) {
    list.push({
      say: `a run decides to open ${what} and freezes`,
      world: { ...world, stalled: step, left },
      broken: null,
    });
  }
}

/** The frozen run comes back with what it had decided. */
function thaw(world: World, { store, list, step }: Means & { readonly step: SendStep }): void {
  const awake = { ...world, stalled: null };
  const index = world.attempts.findIndex(
    (one) => one.effect === step.effect && one.number === step.number,
  );
  if (index >= 0 && store.engine.resendsOpen) {
    const copies = (world.requests[index]?.copies ?? 0) + 1;
    const again = withRequest(awake, index, { copies });
    list.push({
      say: `the frozen run sends ${nameOf(world, index)} again`,
      world: again,
      broken: null,
    });
    return;
  }
  const opening = store.open(awake, step);
  if (opening === null) return;
  list.push({
    say: `the frozen run comes back and opens ${step.effect} ${step.number}`,
    ...opening,
  });
}

/** Asked and recorded at once, or by a worker that takes its time over either. */
function ask(world: World, { store, list }: Means): void {
  const { left } = world;
  if (left.lookUps === 0) return;
  const asking = { ...world, left: { ...left, lookUps: left.lookUps - 1 } };
  for (const code of [...lookUpAnswers(world, store.shape), 'U']) {
    const found = store.record(asking, lookedUp(code, world.now));
    list.push({ say: `a look-up finds: ${wordsFor(code)}`, ...found });
  }
  const slow = after('slowLookUps', asking);
  if (world.question !== null || slow === null) return;
  const question = { askedAt: world.now, answer: null };
  const asked = { ...asking, question, left: slow };
  list.push({ say: 'a look-up is asked', world: asked, broken: null });
}

function answerQuestion(world: World, { store, list }: Means): void {
  const { question } = world;
  if (question === null) return;
  if (question.answer !== null) {
    const heard = { ...world, question: null };
    const found = store.record(heard, lookedUp(question.answer, question.askedAt));
    list.push({ say: `its answer is recorded: ${wordsFor(question.answer)}`, ...found });
    return;
  }
  for (const answer of lookUpAnswers(world, store.shape)) {
    list.push({
      say: `the provider answers the look-up: ${wordsFor(answer)}`,
      world: { ...world, question: { ...question, answer } },
      broken: null,
    });
  }
}

function lookedUp(code: string, askedAt: number) {
  return { effect: 'apply', attempt: null, source: 'look_up', code, askedAt } as const;
}
