/** PostgreSQL dies while a provider is being called: 503 outside, and the answer is not lost. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';
import { until } from '../local/until';

export const postgresqlDown: Rehearsal = {
  name: 'postgresql-down',
  async perform(stage) {
    const charge = { name: 'postgresql', provider: 'sim-blind' };
    await stage.fault(charge.name, { on: 'charge', do: 'slow', delay_ms: 700 });
    const waiting = stage.charge(charge);
    await until('the call is under way', async () => {
      const { body } = await stage.operate('/v1/intents?reference=order-postgresql');
      const [intent] = body['data'] as readonly { status: string }[];
      return intent?.status === 'executing' || undefined;
    });
    stage.signal('postgres', 'SIGKILL');
    const other = await stage.charge({ name: 'postgresql-other', wait: 1 });
    stage.say(`  another charge meanwhile: ${other?.code} ${other?.problem ?? 'taken in'}`);
    must('503, never 500', other !== null && (other.code === 503 || other.code < 300));
    stage.say(`  the waiting caller: ${(await waiting)?.code ?? 'no answer'}`);
    await stage.untilStatus(charge, 'succeeded');
    must('one effect', (await stage.effects(charge.name)).length === 1);
    await stage.untilStatus({ name: 'postgresql-other' }, 'succeeded');
    stage.say('  back: the same keys again, succeeded, one effect each, nobody had to decide');
  },
};
