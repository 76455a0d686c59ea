/** A provider that can neither be asked nor repeated loses answers; operators work the list off. */
import { randomUUID } from 'node:crypto';
import { type Intent } from './http';
import { type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';

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
    const { body } = await stage.operate('/v1/intents?status=in_review&limit=100');
    const listed = (body['data'] as readonly (Intent & { reference: string })[]).filter((one) =>
      one.reference.startsWith('order-review-'),
    );
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
  const answer = await stage.operate(`/v1/intents/${id}/decisions`, {
    decision_id: randomUUID(),
    decision: effect === undefined ? 'not_applied' : 'applied',
    evidence: effect === undefined ? 'not in the statement of today' : `statement: ${effect.id}`,
    reason: 'the answer was lost',
  });
  must(`a decision is taken (${answer.code})`, answer.code === 200 || answer.code === 202);
}
