/** A provider that can neither be asked nor repeated loses answers; operators work the list off. */
import { desk } from './programs';
import { type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';

interface Line {
  readonly id: string;
  readonly reference: string;
}

const LOST = ['timeout-after-effect', 'timeout-before-effect'] as const;

export const manyInReview: Rehearsal = {
  name: 'many-in-review',
  async perform(stage) {
    const names = Array.from({ length: 6 }, (_, n) => `review-${n}`);
    const charge = (name: string) => ({ name, provider: 'sim-blind' });
    await Promise.all(
      names.map(async (name, n) => {
        await stage.fault(name, { on: 'charge', do: LOST[n % 2] });
        await stage.untilStatus(charge(name), 'in_review');
      }),
    );
    const { answer } = await desk(stage.ready, 'list', '--concern', 'review');
    const { data } = answer as { readonly data: readonly Line[] };
    const listed = data.filter(({ reference }) => reference.startsWith('order-review-'));
    must('the list shows all of them', listed.length === names.length);
    for (const { id, reference } of listed) await decide(stage, id, reference);
    for (const [n, name] of names.entries()) {
      await stage.untilStatus(charge(name), n % 2 === 0 ? 'succeeded' : 'failed');
    }
    stage.say('  six in review; decided by the statement: three succeeded, three failed');
  },
};

/** By the provider's statement, which here is the ledger. */
async function decide(stage: Stage, id: string, reference: string): Promise<void> {
  const [effect] = await stage.effects(reference.replace('order-', ''));
  const decision = effect === undefined ? 'not_applied' : 'applied';
  const evidence = effect === undefined ? 'not in the statement' : `statement: ${effect.id}`;
  const grounds = ['--evidence', evidence, '--reason', 'the answer was lost'];
  const { code, err } = await desk(stage.ready, 'decide', id, decision, ...grounds);
  must(`a decision is taken (${code}: ${err})`, code === 0 || code === 3);
}
