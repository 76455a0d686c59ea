/** What stands before the permit: nothing that was knowable earlier may cost an attempt. */
import { startSettlement } from '../../orchestration/start-settlement';
import { recordIntent } from '../../store/record-intent';
import { newIntent } from '../support/fresh-database';
import { freshWorld, type World } from '../support/fresh-world';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

it('what this release cannot send opens no attempt, and is tried again', async () => {
  const of = { operation: 'payment.later', provider: 'sim-blind' };
  const { intent } = await recordIntent(world.database.api, newIntent(of));
  await startSettlement(world.client, { ...intent, intentId: intent.id });
  await until('send has failed twice', async () => {
    const { events } = await world.client.workflow.getHandle(intent.workflowId).fetchHistory();
    const failed = events?.filter((event) => event.activityTaskFailedEventAttributes) ?? [];
    return failed.length > 1 || undefined;
  });
  const { rowCount } = await world.database.owner.query('select from attempts where intent = $1', [
    intent.id,
  ]);
  expect(rowCount).toBe(0);
  expect((await world.read(intent.id)).status).toBe('accepted');
});
