/** Temporal does not answer: intents are recorded, and taken up when it is back. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';

export const temporalDown: Rehearsal = {
  name: 'temporal-down',
  async perform(stage) {
    // Frozen, since the supervisor would start a dead one within a second.
    stage.signal('temporal', 'SIGSTOP');
    const charge = { name: 'temporal' };
    const readiness = await stage.operate('/readyz');
    stage.say(`  /readyz ${readiness.code}: ${JSON.stringify(readiness.body)}`);
    must('only Temporal is reported', readiness.body['store'] === 'reachable');
    must('the gateway stays ready', readiness.code === 200);
    const answer = await stage.charge({ ...charge, wait: 0 });
    must('it is recorded', answer?.code === 202 && answer.intent?.status === 'accepted');
    stage.say(`  202 accepted, "${answer?.intent?.reason}"`);
    stage.signal('temporal', 'SIGCONT');
    await stage.untilStatus(charge, 'succeeded');
    must('one effect', (await stage.effects(charge.name)).length === 1);
    stage.say('  Temporal is back: the auditor started it, succeeded');
  },
};
