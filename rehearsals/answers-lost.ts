/** Answers get lost after the effect and before it; look-ups and keys find out which. */
import { type Rehearsal } from './rehearsal';
import { must } from './stage';

const LOSSES = ['timeout-after-effect', 'reset-after-effect', 'timeout-before-effect'] as const;

export const answersLost: Rehearsal = {
  name: 'answers-lost',
  async perform(stage) {
    const charges = ['sim-full', 'sim-lookup', 'sim-key'].flatMap((provider) =>
      LOSSES.map((loss) => ({ name: `lost-${provider}-${loss}`, provider, loss })),
    );
    await Promise.all(
      charges.map(async ({ loss, ...charge }) => {
        await stage.fault(charge.name, { on: 'charge', do: loss });
        await stage.untilStatus(charge, 'succeeded');
        must('one effect', (await stage.effects(charge.name)).length === 1);
      }),
    );
    stage.say(
      `  ${charges.length} answers lost on three providers: all succeeded, one effect each`,
    );
  },
};
