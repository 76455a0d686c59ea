/** What the auditor does to runs that are well, and to those that are not (INV-10). */
import { wakeSettlement } from '../../orchestration/start-settlement';
import { takeUnattended } from '../../store/unattended';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
});
afterAll(() => world.close());

/** One pass of the auditor, a minute after the last one; this world's own has no worker by then. */
async function pass(): Promise<number> {
  const { owner, worker } = world.database;
  await owner.query("update intents set audited_at = audited_at - interval '1 minute'");
  const taken = await takeUnattended(worker, 100);
  for (const one of taken) await wakeSettlement(world.client, one);
  return taken.length;
}

/** As if all of its evidence had come an hour ago, and as if it had been told since. */
async function ageEvidence(): Promise<void> {
  const { owner } = world.database;
  await owner.query('alter table observations disable trigger observations_are_append_only');
  await owner.query(`update observations set asked_at = asked_at - interval '1 hour',
    observed_at = observed_at - interval '1 hour'`);
  await owner.query('alter table observations enable trigger observations_are_append_only');
  await owner.query("update intents set audited_at = clock_timestamp() - interval '1 minute'");
}

/** Nothing of it is under way: what is told now is an event at once. */
function untilIdle({ workflowId }: StartedIntent): Promise<true> {
  return until('the run waits', async () => {
    const { raw } = await world.client.workflow.getHandle(workflowId).describe();
    const activities = raw.pendingActivities?.length ?? 0;
    return (!raw.pendingWorkflowTask && activities === 0) || undefined;
  });
}

async function events({ workflowId }: StartedIntent): Promise<number> {
  const { events: all } = await world.client.workflow.getHandle(workflowId).fetchHistory();
  return all?.length ?? 0;
}

it('a review where nobody can be asked costs its run no event, however long it lasts', async () => {
  const dying = await world.worker();
  const source = 'card_long_review';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const intent = await world.start('sim-blind', { source });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  await untilIdle(intent);
  await dying.kill('SIGKILL');
  await ageEvidence();
  const before = await events(intent);
  for (let time = 0; time < 20; time += 1) expect(await pass()).toBe(1);
  expect(await events(intent)).toBe(before);

  await world.database.owner.query(
    'update intents set cancel_requested_at = clock_timestamp() where id = $1',
    [intent.id],
  );
  await pass();
  expect(await events(intent)).toBeGreaterThan(before);
});

it('INV-10: such a run that was terminated is started again by the next pass', async () => {
  const dying = await world.worker();
  const source = 'card_terminated_review';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const intent = await world.start('sim-blind', { source });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  await untilIdle(intent);
  await dying.kill('SIGKILL');
  await ageEvidence();
  const handle = world.client.workflow.getHandle(intent.workflowId);
  await handle.terminate('test');
  await pass();
  expect((await handle.describe()).status.name).toBe('RUNNING');
});
