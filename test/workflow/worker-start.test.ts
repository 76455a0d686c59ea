/** A worker that cannot start has taken no work that its end could cut off. */
import { freshWorld, type World } from '../support/fresh-world';
import { refusingTemporal } from '../support/refusing-temporal';
import { sharedStack } from '../support/shared-stack';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
});
afterAll(() => world.close());

it('while the Schedule of the purge is refused nothing is sent, and the worker ends', async () => {
  const intent = await world.start('sim-blind');
  const { ready } = sharedStack();
  const temporal = await refusingTemporal(ready.temporal.address, {
    call: 'CreateSchedule',
    afterMs: 2_000,
  });
  await expect(world.worker(undefined, undefined, temporal.address)).rejects.toThrow(
    /before it was ready/,
  );
  temporal.close();
  expect((await world.simulator.ledger(intent.source)).calls).toEqual([]);
  expect((await world.read(intent.id)).status).toBe('accepted');
  await world.worker();
  expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
  expect((await world.simulator.ledger(intent.source)).effects).toHaveLength(1);
});
