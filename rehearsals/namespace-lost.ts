/** Temporal's database is gone: the auditor starts every open intent again, from the journal. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Rehearsal } from './rehearsal';
import { must } from './stage';
import { until } from '../local/until';

export const namespaceLost: Rehearsal = {
  name: 'namespace-lost',
  isAlone: true,
  async perform(stage) {
    const review = { name: 'namespace-review', provider: 'sim-blind' };
    await stage.fault(review.name, { on: 'charge', do: 'timeout-after-effect' });
    const { intent } = await stage.untilStatus(review, 'in_review');
    const pending = { name: 'namespace-pending' };
    await stage.fault(pending.name, { on: 'charge', do: 'pending' });
    await stage.untilStatus(pending, 'pending');
    const ended = { name: 'namespace-ended' };
    await stage.untilStatus(ended, 'succeeded');

    await stage.restart(() =>
      rm(join(stage.dataDirectory, 'temporal'), { recursive: true, force: true }),
    );
    stage.say('  Temporal’s database deleted; one pending, one in review, one ended');
    const [effect] = await stage.effects(pending.name);
    await stage.tell('notifications', { about: effect?.id, type: 'charge.succeeded' });
    await stage.untilStatus(pending, 'succeeded');
    const decided = await stage.operate(`/v1/intents/${intent?.id ?? ''}/decisions`, {
      decision_id: randomUUID(),
      decision: 'applied',
      evidence: 'line 3 of the statement',
      reason: 'the answer was lost',
    });
    must('a decision is taken', decided.code === 200);
    const repeat = await stage.charge(ended);
    must('the ended one is answered from its row', repeat?.code === 201);
    await until('each has one effect', async () => {
      const names = [review.name, pending.name, ended.name];
      const counts = await Promise.all(names.map(async (one) => (await stage.effects(one)).length));
      return counts.every((count) => count === 1) || undefined;
    });
    stage.say('  new runs took both up: succeeded, one effect each; histories of before are gone');
  },
};
