/** The provider refuses connections; nothing is lost, and everything is sent once it is back. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';

export const providerDown: Rehearsal = {
  name: 'provider-down',
  async perform(stage) {
    await stage.tell('settings', { listening: false });
    const names = ['down-full', 'down-lookup', 'down-key', 'down-blind'];
    for (const name of names) {
      const charge = { name, provider: name.replace('down', 'sim'), wait: 1 };
      const answer = await stage.charge(charge);
      must('a charge is taken in', answer?.code === 202);
      stage.say(`  ${charge.provider}: 202 ${answer?.intent?.status}, "${answer?.intent?.reason}"`);
    }
    await stage.tell('settings', { listening: true });
    for (const name of names) {
      await stage.untilStatus({ name, provider: name.replace('down', 'sim') }, 'succeeded');
      must('one effect', (await stage.effects(name)).length === 1);
    }
    stage.say('  the provider is back: all four succeeded, one effect each');
  },
};
