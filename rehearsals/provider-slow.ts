/** Answers come after the budget, so each of them is lost; effects are there all the same. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';

export const providerSlow: Rehearsal = {
  name: 'provider-slow',
  async perform(stage) {
    const names = ['slow-full', 'slow-lookup', 'slow-key'];
    await Promise.all(
      names.map(async (name) => {
        await stage.fault(name, { on: 'charge', do: 'slow', delay_ms: 1_200 });
        const charge = { name, provider: name.replace('slow', 'sim') };
        const first = await stage.charge({ ...charge, wait: 1 });
        must('the caller is not told a failure', first?.code === 202);
        await stage.untilStatus(charge, 'succeeded');
        must('one effect', (await stage.effects(name)).length === 1);
        stage.say(`  ${charge.provider}: 202, later succeeded, one effect`);
      }),
    );
  },
};
