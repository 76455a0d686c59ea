/**
 * A worker that loses power at any point, on every contract shape: nothing is sent twice that the
 * contract could prevent, nothing is lost, and the provider's ledger agrees with the outcome.
 */
import { type CrashPoint } from '../../activities/dependencies';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { inWorld } from '../support/fresh-world';

const PROVIDERS: readonly SimulatorProvider[] = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'];

/** Points in the order in which a send passes them. */
const POINTS: readonly CrashPoint[] = [
  'before-attempt',
  'attempt-opened',
  'answer-received',
  'finding-recorded',
];

/** What must have come about: the outcome, and how often the provider was told to charge. */
function expected(provider: SimulatorProvider, point: CrashPoint) {
  const certain = point === 'before-attempt' || point === 'finding-recorded';
  if (certain) return { status: 'succeeded', effects: 1, calls: 1 };
  const effectBefore = point === 'answer-received';
  if (provider === 'sim-blind') {
    return { status: 'in_review', effects: effectBefore ? 1 : 0, calls: effectBefore ? 1 : 0 };
  }
  const repeats = provider === 'sim-key' && effectBefore;
  return { status: 'succeeded', effects: 1, calls: repeats ? 2 : 1 };
}

const canBeAsked = (provider: SimulatorProvider): boolean =>
  provider === 'sim-full' || provider === 'sim-lookup';

describe.each(POINTS)('B32, B35, B89: a worker killed at %s', (point) => {
  it.concurrent.each(PROVIDERS)('with %s', async (provider) => {
    await inWorld(async (world) => {
      const dying = await world.worker(point);
      const intent = await world.start(provider);
      expect(await dying.ended).toBe('SIGKILL');
      await world.worker();
      const { status } = await world.untilEnded(intent.id);
      const { effects, calls } = await world.simulator.ledger(intent.source);
      const charges = calls.filter((call) => call.call === 'charge');
      expect({ status, effects: effects.length, calls: charges.length }).toEqual(
        expected(provider, point),
      );
      expect(new Set(charges.map((call) => call.key)).size).toBeLessThanOrEqual(1);
      // Where anybody can be asked, the next worker asks before it sends.
      if (canBeAsked(provider) && point === 'attempt-opened') {
        // By our reference: of a question about nothing the simulator knows no payer.
        const { reference } = charges[0] ?? {};
        const whole = await world.simulator.wholeLedger();
        const about = whole.calls.filter((call) => call.reference === reference);
        expect(about[0]?.call).toBe('query');
      }
    });
  });
});

it('a worker killed after a look-up was answered asks again and finds the effect', async () => {
  await inWorld(async (world) => {
    const source = 'card_look_up_killed';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    const dying = await world.worker('look-up-answered');
    const intent = await world.start('sim-lookup', { source });
    expect(await dying.ended).toBe('SIGKILL');
    await world.worker();
    expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
    const { effects, calls } = await world.simulator.ledger(source);
    expect(effects).toHaveLength(1);
    expect(calls.map((call) => call.call)).toEqual(['charge', 'query', 'query']);
  });
});
