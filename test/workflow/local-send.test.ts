/**
 * The first send as a local activity: cheaper, and as safe. What protects the effect is the permit, not
 * Temporal, which here runs a send again whenever a workflow task is lost.
 */
import { type CrashPoint } from '../../activities/dependencies';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { wakeSettlement } from '../../orchestration/start-settlement';
import { requestCancel } from '../../store/request-cancel';
import { freshWorld, inWorld, type StartedIntent, type World } from '../support/fresh-world';
import { latestRun, resetRun } from '../support/reset-run';
import { until } from '../support/until';

const firstSend = 'local-activity';

/** A slow answer is in time, however busy the machine. */
const PATIENT = { send: { budgetMs: 8_000, horizonMs: 300, mayRepeat: false } };

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

async function ledgerOf(within: World, { source }: StartedIntent) {
  const { effects, calls } = await within.simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

/** What the history is made of. */
async function eventsOf({ workflowId }: StartedIntent): Promise<readonly string[]> {
  const handle = world.client.workflow.getHandle(workflowId);
  await handle.result();
  const { events } = await handle.fetchHistory();
  return (events ?? []).map((one) => Object.keys(one).find((key) => /Attributes$/.test(key)) ?? '');
}

const sent = (intent: StartedIntent) =>
  until(
    'the charge was received',
    async () => (await ledgerOf(world, intent)).charges > 0 || undefined,
  );

const slow = (source: string, delay_ms: number) =>
  world.simulator.programme({ on: 'charge', do: 'slow', delay_ms, match: { source } });

it.concurrent('the happy path is no activity and six events', async () => {
  const intent = await world.start('sim-full', { firstSend });
  expect(await eventsOf(intent)).toEqual([
    'workflowExecutionStartedEventAttributes',
    'workflowTaskScheduledEventAttributes',
    'workflowTaskStartedEventAttributes',
    'workflowTaskCompletedEventAttributes',
    'markerRecordedEventAttributes',
    'workflowExecutionCompletedEventAttributes',
  ]);
  expect((await world.read(intent.id)).status).toBe('succeeded');
  expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent('what follows a lost answer is asked and sent as activities', async () => {
  const source = 'card_local_lost';
  await world.simulator.programme({ on: 'charge', do: 'timeout-before-effect', match: { source } });
  const intent = await world.start('sim-lookup', { source, firstSend });
  expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
  expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 2 });
  const { events } = await world.client.workflow.getHandle(intent.workflowId).fetchHistory();
  const activities = (events ?? []).flatMap(
    (one) => one.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
  expect(activities.filter((name) => name === 'send')).toHaveLength(1);
  expect(activities[0]).toBe('lookUp');
});

it.concurrent('a send that outlasts its workflow task is made once', async () => {
  const source = 'card_local_slow';
  await slow(source, 3_500);
  const intent = await world.start('sim-lookup', { source, firstSend, contract: PATIENT });
  await sent(intent);
  // The worker beats for the task, so that updates and queries get through in the meantime.
  const handle = world.client.workflow.getHandle(intent.workflowId);
  await handle.query('journal');
  expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
  expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
  expect((await world.read(intent.id)).attemptCount).toBe(1);
});

it.concurrent('B123: a finished run that is reset sends nothing and ends as before', async () => {
  const intent = await world.start('sim-lookup', { firstSend });
  await world.client.workflow.getHandle(intent.workflowId).result();
  await resetRun(world.client, await latestRun(world.client, intent.workflowId), 4);
  const handle = world.client.workflow.getHandle(intent.workflowId);
  expect(await handle.result()).toEqual({ outcome: 'succeeded' });
  expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent(
  'INV-10: a run terminated in mid-send is taken up again and charges once',
  async () => {
    const source = 'card_local_terminated';
    await slow(source, 700);
    const intent = await world.start('sim-lookup', { source, firstSend });
    await sent(intent);
    await world.client.workflow.getHandle(intent.workflowId).terminate('test');
    expect((await world.untilEnded(intent.id)).status).toBe('succeeded');
    expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent('INV-9: what a cancel overtook in mid-send is undone', async () => {
  const source = 'card_local_canceled';
  await slow(source, 700);
  const intent = await world.start('sim-full', { source, firstSend });
  await sent(intent);
  await requestCancel(world.database.api, { id: intent.id, tenant: 'acme', by: 'test' });
  const row = await world.read(intent.id);
  await wakeSettlement(world.client, { ...row, intentId: intent.id });
  expect((await world.untilEnded(intent.id)).status).toBe('canceled');
  const { effects } = await world.simulator.ledger(source);
  expect(effects.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'charge voided',
    'void succeeded',
  ]);
});

it.concurrent(
  'a worker that is told to stop in mid-send writes the answer down first',
  async () => {
    await inWorld(async (own) => {
      const stopping = await own.worker();
      const source = 'card_local_stopped';
      await slow(source, 1_000);
      const intent = await own.start('sim-blind', { source, firstSend, contract: PATIENT });
      await until(
        'the charge was received',
        async () => (await ledgerOf(own, intent)).charges > 0 || undefined,
      );
      await stopping.kill('SIGTERM');
      // Nobody can ask this provider: had the answer been lost, a person would have to decide.
      expect((await own.read(intent.id)).status).toBe('succeeded');
      await own.worker();
      const handle = own.client.workflow.getHandle(intent.workflowId);
      expect(await handle.result()).toEqual({ outcome: 'succeeded' });
      expect(await ledgerOf(own, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
);

const POINTS: readonly CrashPoint[] = [
  'before-attempt',
  'attempt-opened',
  'answer-received',
  'finding-recorded',
];

describe.each(POINTS)('B32, B35, B89: a worker killed at %s of a local send', (point) => {
  it.concurrent.each<SimulatorProvider>(['sim-lookup', 'sim-blind'])(
    'with %s',
    async (provider) => {
      await inWorld(async (own) => {
        const dying = await own.worker(point);
        const intent = await own.start(provider, { firstSend });
        expect(await dying.ended).toBe('SIGKILL');
        await own.worker();
        const { status } = await own.untilEnded(intent.id);
        expect({ status, ...(await ledgerOf(own, intent)) }).toEqual(expected(provider, point));
      });
    },
  );
});

function expected(provider: SimulatorProvider, point: CrashPoint) {
  const isCertain = point === 'before-attempt' || point === 'finding-recorded';
  if (isCertain || provider === 'sim-lookup')
    return { status: 'succeeded', effects: 1, charges: 1 };
  const landed = point === 'answer-received' ? 1 : 0;
  return { status: 'in_review', effects: landed, charges: landed };
}

it.concurrent(
  'a worker frozen with the permit of a local send, thawed too late, sends nothing',
  async () => {
    await inWorld(async (own) => {
      const frozen = await own.worker(undefined, 'attempt-opened');
      const intent = await own.start('sim-lookup', { firstSend, patienceMs: 300_000 });
      await frozen.untilFrozen();
      await own.worker();
      const ended = await until(
        'the other one ends it',
        async () => ((await own.read(intent.id)).status === 'succeeded' ? true : undefined),
        180_000,
      );
      expect(ended).toBe(true);
      frozen.thaw();
      await until('the thawed worker tells what it did', async () => {
        const { rows } = await own.database.owner.query<{ kind: string }>(
          `select finding ->> 'kind' as kind from observations
         where intent = $1 and source = 'response' and attempt = 1`,
          [intent.id],
        );
        return rows[0]?.kind === 'not_sent' ? true : undefined;
      });
      expect(await ledgerOf(own, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
  240_000,
);
