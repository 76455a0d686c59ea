/** The daily purge as the worker runs it: one Schedule, one run, counts in its result. */
import { ensureRetention } from '../../workers/retention';
import { endedIntent, wholeRow } from '../support/ended-intent';
import { freshWorld, type World } from '../support/fresh-world';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await Promise.all([world.worker(), world.worker()]);
});
afterAll(() => world.close());

async function schedules(): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { scheduleId } of world.client.schedule.list()) ids.push(scheduleId);
  return ids;
}

const schedule = () => world.client.schedule.getHandle('resolute.retention');

it('two workers that start at once make one Schedule, daily, without overlap', async () => {
  await until('the list shows it', async () => ((await schedules()).length > 0 ? true : undefined));
  expect(await schedules()).toEqual(['resolute.retention']);
  const { spec, policies } = await schedule().describe();
  expect(spec.calendars).toMatchObject([{ hour: [{ start: 3 }], minute: [{ start: 0 }] }]);
  expect(policies.overlap).toBe('SKIP');
});

it('a worker with another time moves it, and a pause stays', async () => {
  await schedule().pause('test');
  await ensureRetention(world.client, { hour: 4, minute: 30 });
  await ensureRetention(world.client, { hour: 4, minute: 30 });
  const { spec, state } = await schedule().describe();
  expect(spec.calendars).toMatchObject([{ hour: [{ start: 4 }], minute: [{ start: 30 }] }]);
  expect(spec.calendars).toHaveLength(1);
  expect(state).toMatchObject({ paused: true, note: 'test' });
  await schedule().unpause();
});

it('a run purges all that is due, more than a batch, and says how many', async () => {
  const { database, client } = world;
  const due = await endedIntent(database);
  const unknown = await endedIntent(database, { status: 'unknown' });
  await database.owner.query(
    `insert into intents (tenant, operation, operation_version, key_digest, idempotency_key,
       fingerprint, fingerprint_version, business_key, params, amount, currency, provider, contract,
       policy, workflow_id, reason, status, version, finalised_at)
     select tenant, operation, 1, sha256(int8send(n)), 'k' || n, fingerprint, 1, 'b' || n, params,
       amount, currency, provider, contract, policy, 'w' || n, reason, status, version, finalised_at
     from intents, generate_series(1::int8, 1200) n where id = $1`,
    [due],
  );
  await schedule().trigger();
  const run = await until('the schedule has started a run', async () => {
    const { info } = await schedule().describe();
    return info.recentActions.at(-1)?.action.workflow;
  });
  const handle = client.workflow.getHandle(run.workflowId, run.firstExecutionRunId);
  expect(await handle.result()).toMatchObject({
    purged: { 'payment.charge': 1201 },
    isDone: true,
  });
  expect(await wholeRow(database, due)).toMatchObject({ params: null, idempotency_key: null });
  expect((await wholeRow(database, unknown))['purged_at']).toBeNull();
});
