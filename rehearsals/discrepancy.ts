/**
 * After the end the provider says the contrary: shown beside the outcome, which stays. Its notifications
 * are evidence only where it cannot be asked, so its look-up is taken away here.
 */
import { REHEARSAL_CONTRACTS } from './contracts';
import { type Rehearsal } from './rehearsal';
import { must } from './stage';
import { until } from './until';

export const discrepancy: Rehearsal = {
  name: 'discrepancy',
  isAlone: true,
  async perform(stage) {
    const { send, patience_ms } = REHEARSAL_CONTRACTS['sim-full'];
    await stage.restart(undefined, {
      ...REHEARSAL_CONTRACTS,
      'sim-full': { send, patience_ms, look_up: null },
    });
    const charge = { name: 'discrepancy' };
    await stage.fault(charge.name, { on: 'charge', do: 'decline' });
    const { intent } = await stage.untilStatus(charge, 'failed');
    const about = `rs-${(intent?.id ?? '').replaceAll('-', '')}-a`;
    await stage.tell('notifications', { about, type: 'charge.succeeded' });
    const shown = await until('the discrepancy is shown', async () => {
      const answer = await stage.operate(`/v1/intents/${intent?.id ?? ''}`);
      return answer.intent?.discrepancy === null ? undefined : (answer.intent ?? undefined);
    });
    must('the outcome stays', shown.status === 'failed');
    stage.expect(charge.name, 'discrepancy');
    stage.say(`  failed, beside it: "${shown.discrepancy?.reason}"`);
    must('the provider’s own books deny it', (await stage.effects(charge.name)).length === 0);
    stage.say('  the ledger shows no effect: the notification lied, nothing to pay back');
  },
};
