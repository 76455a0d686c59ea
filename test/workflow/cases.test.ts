/** Public cases of runs and workers that misbehave; ids as in docs/public-cases.md. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { startSettlement, wakeSettlement } from '../../orchestration/start-settlement';
import { INTENTS_TASK_QUEUE } from '../../orchestration/task-queues';
import { readQueue } from '../../store/read-queue';
import { recordIntent } from '../../store/record-intent';
import { newIntent } from '../support/fresh-database';
import { freshWorld, inWorld, type StartedIntent, type World } from '../support/fresh-world';
import { until } from '../support/until';

/** The auditor takes what is some seconds overdue, once in ten seconds. */
const AUDITED_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

/** Effects and calls at the provider, as short words. */
async function ledgerOf({ source }: StartedIntent, of: World = world) {
  const { effects, calls } = await of.simulator.ledger(source);
  return { effects: effects.length, calls: calls.map(({ call }) => call) };
}

async function chargesOf(intent: StartedIntent, of: World = world) {
  const { effects, calls } = await ledgerOf(intent, of);
  return { effects, charges: calls.filter((call) => call === 'charge').length };
}

function underWay(intent: StartedIntent, of: World = world): Promise<true> {
  return until('the send is under way', async () =>
    (await chargesOf(intent, of)).charges > 0 ? true : undefined,
  );
}

function untilSucceeded(intent: StartedIntent, of: World = world): Promise<true> {
  return until(
    `${intent.source} succeeds`,
    async () => ((await of.read(intent.id)).status === 'succeeded' ? true : undefined),
    AUDITED_MS,
  );
}

it.concurrent('B27: another workflow under the id of an open run is refused', async () => {
  const source = 'card_b27';
  await world.simulator.programme({ on: 'charge', do: 'slow', delay_ms: 700, match: { source } });
  const intent = await world.start('sim-lookup', { source });
  await underWay(intent);
  const other = world.client.workflow.start('refundIntent', {
    workflowId: intent.workflowId,
    taskQueue: INTENTS_TASK_QUEUE,
    args: [],
  });
  await expect(other).rejects.toThrow(WorkflowExecutionAlreadyStartedError);
  await untilSucceeded(intent);
  expect(await chargesOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent.each([
  ['B59: a status that is not in the contract', 'pending', 'status:SETTLING_X'],
  ['B85: a payer who never acts', 'requires-action', 'ok'],
])('%s ends with a person when patience is spent', async (...row) => {
  const [, behaviour, shown] = row;
  const source = `card_waits_${behaviour}`;
  await world.simulator.programme({ on: 'charge', do: behaviour, match: { source } });
  await world.simulator.programme({ on: 'query', do: shown, times: 'always', match: { source } });
  const intent = await world.start('sim-lookup', { source, patienceMs: 2_500 });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  const { effects, calls } = await ledgerOf(intent);
  expect([effects, calls.includes('query'), calls.includes('void')]).toEqual([1, true, false]);
});

it.concurrent('B111: a bug before the call sends nothing and comes before a person', async () => {
  const source = 'card_b111';
  const { contract } = await world.read((await world.record('sim-lookup')).id);
  // No worker knows this operation: its activities throw before the permit.
  const { intent } = await recordIntent(
    world.database.api,
    newIntent({
      operation: 'payment.nothing',
      provider: 'sim-lookup',
      params: { ...newIntent().params, source },
      contract: { ...contract, patienceMs: 2_500 },
    }),
  );
  await startSettlement(world.client, { ...intent, intentId: intent.id });
  const line = await until('the queue shows it', async () => {
    const queue = await readQueue(world.database.api, { concern: 'unsent', limit: 100 });
    return queue.find(({ id }) => id === intent.id);
  });
  expect(line).toMatchObject({ status: 'accepted', attemptCount: 0 });
  expect(await ledgerOf({ ...intent, source })).toEqual({ effects: 0, calls: [] });
});

it.concurrent(
  'B113: a run whose code throws holds up nobody, and after it is ended the intent is settled',
  async () => {
    const poisoned = await world.record('sim-lookup');
    const { workflowId } = poisoned;
    const handle = await world.client.workflow.start('settleIntent', {
      workflowId,
      taskQueue: INTENTS_TASK_QUEUE,
      args: [{ intentId: poisoned.id }],
    });
    await until('its task fails again and again', async () => {
      const { raw } = await handle.describe();
      return (raw.pendingWorkflowTask?.attempt ?? 0) > 1 ? true : undefined;
    });
    const healthy = await world.start('sim-lookup');
    await untilSucceeded(healthy);
    expect(await chargesOf(poisoned)).toEqual({ effects: 0, charges: 0 });
    await handle.terminate('test');
    await untilSucceeded(poisoned);
    expect(await chargesOf(poisoned)).toEqual({ effects: 1, charges: 1 });
  },
  AUDITED_MS,
);

it.concurrent(
  'B101: what a failover lost is not charged again while Temporal remembers the run',
  async () => {
    const source = 'card_b101';
    const wanted = newIntent({ params: { ...newIntent().params, source } });
    const { intent } = await recordIntent(world.database.api, wanted);
    const started = { ...intent, intentId: intent.id, source };
    await startSettlement(world.client, started);
    const handle = world.client.workflow.getHandle(intent.workflowId);
    // Not the row's end: that comes while the run is still about to close.
    expect(await handle.result()).toEqual({ outcome: 'succeeded' });
    const { runId } = await handle.describe();
    await forget(intent.id);
    const again = await recordIntent(world.database.api, wanted);
    expect(again.kind).toBe('new');
    const anew = { ...again.intent, intentId: again.intent.id, source };
    await startSettlement(world.client, anew);
    await wakeSettlement(world.client, anew);
    const now = await handle.describe();
    expect([now.runId, now.status.name]).toEqual([runId, 'COMPLETED']);
    expect(await chargesOf(anew)).toEqual({ effects: 1, charges: 1 });
  },
);

/** As a standby that lacks the last commits; only whoever owns the tables can do this. */
async function forget(intent: string): Promise<void> {
  const tables = ['observations', 'attempts', 'intent_events', 'intents'];
  const guards = (change: string) =>
    tables.map((table) => `alter table ${table} ${change} trigger user;`).join(' ');
  const client = await world.database.owner.connect();
  await client.query(`begin; ${guards('disable')}`);
  for (const table of tables) {
    const column = table === 'intents' ? 'id' : 'intent';
    await client.query(`delete from ${table} where ${column} = $1`, [intent]);
  }
  await client.query(`${guards('enable')} commit`);
  client.release();
}

describe('a world of its own', () => {
  it.concurrent(
    'B86: a worker that froze in mid-send and wakes past its deadline sends nothing',
    () =>
      inWorld(async (own) => {
        const source = 'card_b86';
        await own.simulator.programme({
          on: 'charge',
          do: 'slow',
          delay_ms: 1_650,
          match: { source },
        });
        const frozen = await own.worker();
        const intent = await own.start('sim-lookup', { source });
        await underWay(intent, own);
        frozen.child.kill('SIGSTOP');
        await own.worker();
        await until('nothing of the send can land any more', async () => {
          const { rowCount } = await own.database.owner.query(
            "select from attempts where intent = $1 and send_deadline < now() - interval '1 second'",
            [intent.id],
          );
          return rowCount === 1 ? true : undefined;
        });
        frozen.child.kill('SIGCONT');
        await untilSucceeded(intent, own);
        expect(await own.read(intent.id)).toMatchObject({
          status: 'succeeded',
          discrepancyReason: null,
        });
        expect(await chargesOf(intent, own)).toEqual({ effects: 1, charges: 1 });
      }),
    // A frozen worker holds up whoever works beside it, for as long as its polls are open.
    2 * AUDITED_MS,
  );

  it.concurrent(
    'B134: a call that hung when its worker died holds up nobody',
    () =>
      inWorld(async (own) => {
        const source = 'card_b134';
        await own.simulator.programme({ on: 'charge', do: 'hang', match: { source } });
        const dying = await own.worker();
        const stuck = await own.start('sim-lookup', { source });
        await underWay(stuck, own);
        await dying.kill('SIGKILL');
        await own.worker();
        const next = await own.start('sim-lookup');
        await untilSucceeded(next, own);
        await untilSucceeded(stuck, own);
        expect(await chargesOf(stuck, own)).toEqual({ effects: 1, charges: 2 });
      }),
    AUDITED_MS,
  );

  it.concurrent(
    'B120: an intent that no search attribute lets start is started once it is there',
    () =>
      inWorld(async (own) => {
        const { namespace } = own.client.options;
        const { operatorService } = own.connection;
        const name = 'IntentProvider';
        await operatorService.removeSearchAttributes({ namespace, searchAttributes: [name] });
        await own.worker();
        const intent = await own.record('sim-lookup');
        const start = { ...intent, intentId: intent.id };
        await expect(startSettlement(own.client, start)).rejects.toMatchObject({
          cause: { details: expect.stringContaining(name) as string },
        });
        const { INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;
        await operatorService.addSearchAttributes({
          namespace,
          searchAttributes: { [name]: INDEXED_VALUE_TYPE_KEYWORD },
        });
        await untilSucceeded(intent, own);
        expect(await chargesOf(intent, own)).toEqual({ effects: 1, charges: 1 });
      }),
    AUDITED_MS,
  );
});
