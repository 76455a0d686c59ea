/** While an operator's decision has not taken effect: wait until it may, then ask (rule 10). */
import { type Belief } from './assess';
import { wordsFor } from './contradictions';
import { askAgain } from './doubt-step';
import { type Situation, type Step } from './step';

type Waiting = Extract<Belief, { kind: 'doubt' | 'pending' }>;

/** Null where no decision waits. Meanwhile nothing is sent, repeats under the key included. */
export function awaitDecision(belief: Waiting, situation: Situation): Step | null {
  const { awaits } = belief;
  if (awaits === null) return null;
  const decided = `An operator decided ${wordsFor(awaits)}`;
  if (situation.now < awaits.from) {
    const reason =
      awaits.lookUp === 'none'
        ? `${decided}; it counts once nothing that was sent can land any more.`
        : `${decided}; the provider is asked once its answer can prove it.`;
    return { kind: 'wait', until: awaits.from, reason };
  }
  switch (awaits.lookUp) {
    case 'due':
      return { kind: 'look_up' };
    case 'silent':
      return askAgain(belief, situation, `${decided}; asking the provider until it confirms that`);
    case 'blind':
    case 'none':
      return askAgain(
        belief,
        situation,
        `${decided} while a look-up could have told, which now sees no longer so far back: decide again`,
      );
  }
}
