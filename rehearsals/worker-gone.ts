/** No worker works: requests are taken in, nothing is sent; a new worker takes all of it up. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';

export const workerGone: Rehearsal = {
  name: 'worker-gone',
  async perform(stage) {
    // Frozen, since the supervisor would start a dead one within a second.
    stage.signal('worker', 'SIGSTOP');
    const charge = { name: 'worker-gone' };
    const answer = await stage.charge({ ...charge, wait: 1 });
    must('it is recorded', answer?.code === 202 && answer.intent?.status === 'accepted');
    must('nothing is sent', (await stage.effects(charge.name)).length === 0);
    stage.say('  202 accepted, nothing sent');
    stage.signal('worker', 'SIGKILL');
    await stage.untilStatus(charge, 'succeeded');
    must('one effect', (await stage.effects(charge.name)).length === 1);
    stage.say('  killed; the new worker settled it');
  },
};
