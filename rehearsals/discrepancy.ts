/**
 * After the end the provider says the contrary: shown beside the outcome, which stays, until a person who
 * looked into the provider's books closes it. Notifications are evidence only where the provider cannot be
 * asked, so its look-up is taken away here.
 */
import { REHEARSAL_CONTRACTS } from './contracts';
import { desk } from './programs';
import { PATIENCE_MS, type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';
import { until } from '../local/until';

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
    const id = intent?.id ?? '';
    const shown = () => show(stage, id);
    const { status, discrepancy: open } = await until(
      'the discrepancy is shown',
      async () => ((await shown()).discrepancy === null ? undefined : shown()),
      PATIENCE_MS,
    );
    must('the outcome stays', status === 'failed');
    stage.say(`  failed, beside it: "${open?.reason}"`);
    must('the provider’s own books deny it', (await stage.effects(charge.name)).length === 0);
    const grounds = ['--evidence', 'not in the statement of today', '--reason', 'it lied'];
    const since = open?.since ?? '';
    const closing = ['close', id, 'outcome_stands', '--since', since, ...grounds];
    const { code, err } = await desk(stage.ready, ...closing);
    must(`it is closed (${code}: ${err})`, code === 0);
    must('nothing waits any more', (await shown()).discrepancy === null);
    stage.say('  the ledger shows no effect: the notification lied; closed as outcome_stands');
  },
};

interface Shown {
  readonly status: string;
  readonly discrepancy: { readonly since: string; readonly reason: string } | null;
}

async function show({ ready }: Stage, id: string): Promise<Shown> {
  return (await desk(ready, 'show', id)).answer as Shown;
}
