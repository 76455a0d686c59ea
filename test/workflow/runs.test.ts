/**
 * Whatever is done to a run in Temporal, the journal protects the effect: started twice,
 * terminated, reset, asked to cancel, forgotten.
 */
import { startSettlement } from '../../orchestration/start-settlement';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { latestRun, resetRun } from '../support/reset-run';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

async function ledgerOf(intent: StartedIntent) {
  const { effects, calls } = await world.simulator.ledger(intent.source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

async function isClosed(intent: StartedIntent): Promise<true | undefined> {
  const { status } = await world.client.workflow.getHandle(intent.workflowId).describe();
  return status.name === 'RUNNING' ? undefined : true;
}

/** Resets the latest run to its first workflow task, as the Web UI's button does. */
async function resetToFirstTask({ workflowId }: StartedIntent): Promise<void> {
  await resetRun(world.client, await latestRun(world.client, workflowId), 4);
}

it.concurrent('the happy path is one activity and eleven events', async () => {
  const intent = await world.start('sim-full');
  await until('the run closes', () => isClosed(intent));
  const history = await world.client.workflow.getHandle(intent.workflowId).fetchHistory();
  expect(history.events).toHaveLength(11);
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent('B37, B107: started twice at once it runs once', async () => {
  const intent = await world.record('sim-lookup');
  const start = { ...intent, intentId: intent.id };
  await Promise.all([startSettlement(world.client, start), startSettlement(world.client, start)]);
  await startSettlement(world.client, start);
  expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent('B26: five runs beside each other, under five ids, send once', async () => {
  const intent = await world.record('sim-lookup');
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      startSettlement(world.client, {
        ...intent,
        intentId: intent.id,
        workflowId: `${intent.workflowId}.${n}`,
      }),
    ),
  );
  expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent('B123: a finished run that is reset sends nothing and ends as before', async () => {
  const intent = await world.start('sim-lookup');
  await until('the run closes', () => isClosed(intent));
  await resetToFirstTask(intent);
  const handle = world.client.workflow.getHandle(intent.workflowId);
  expect(await handle.result()).toEqual({ outcome: 'succeeded' });
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent('a run in review that is reset sends nothing and stays in review', async () => {
  const source = 'card_reset_in_review';
  await world.simulator.programme({ on: 'charge', do: 'timeout-before-effect', match: { source } });
  const intent = await world.start('sim-blind', { source });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  await resetToFirstTask(intent);
  const handle = world.client.workflow.getHandle(intent.workflowId);
  await until('the new run knows the journal', async () => {
    const journal = await handle.query<{ attempts: unknown[] }>('journal');
    return journal.attempts.length === 1 ? true : undefined;
  });
  expect((await world.read(intent.id)).status).toBe('in_review');
  expect(await ledgerOf(intent)).toEqual({ effects: 0, charges: 1 });
});

it.concurrent(
  'INV-10: a run terminated in mid-send is started again by the auditor and charges once',
  async () => {
    const source = 'card_terminated';
    await world.simulator.programme({ on: 'charge', do: 'slow', delay_ms: 700, match: { source } });
    const intent = await world.start('sim-lookup', { source });
    await until('the send is under way', async () =>
      (await ledgerOf(intent)).charges > 0 ? true : undefined,
    );
    await world.client.workflow.getHandle(intent.workflowId).terminate('test');
    expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'B122, INV-10: a run terminated while unknown is started again and proves the outcome',
  async () => {
    const source = 'card_terminated_unknown';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    await world.simulator.programme({ on: 'query', do: 'timeout', times: 2, match: { source } });
    const intent = await world.start('sim-lookup', { source });
    await until('it is unknown', async () =>
      (await world.read(intent.id)).status === 'unknown' ? true : undefined,
    );
    await world.client.workflow.getHandle(intent.workflowId).terminate('test');
    expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'B31, INV-10: an intent whose start never reached Temporal is found by the auditor',
  async () => {
    const intent = await world.record('sim-full');
    expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'a cancellation request from the Web UI is a cancel, and ends no run that may have charged',
  async () => {
    const source = 'card_cancel_requested';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    const intent = await world.start('sim-lookup', { source });
    await until('the send is under way', async () =>
      (await ledgerOf(intent)).charges > 0 ? true : undefined,
    );
    const handle = world.client.workflow.getHandle(intent.workflowId);
    await handle.cancel();
    expect(await handle.result()).toEqual({ outcome: 'canceled' });
    const { effects } = await world.simulator.ledger(source);
    expect(effects.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'charge voided',
      'void succeeded',
    ]);
    expect((await world.read(intent.id)).cancelRequestedBy).toMatch(/^unknown operator/);
  },
);

it.concurrent(
  'patience spent ends in review, look-ups go on, and late evidence ends it',
  async () => {
    const source = 'card_patience';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    await world.simulator.programme({ on: 'query', do: 'timeout', times: 4, match: { source } });
    const intent = await world.start('sim-lookup', { source, patienceMs: 2_500 });
    expect((await world.untilEnded(intent.id)).status).toBe('in_review');
    const ended = await until('a look-up finds it', async () => {
      const row = await world.read(intent.id);
      return row.status === 'in_review' ? undefined : row;
    });
    expect(ended.status).toBe('succeeded');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);
