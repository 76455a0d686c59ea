/**
 * A worker that is frozen (a stopped machine, a paused container) with a permit or an answer in hand,
 * and thawed after others have gone on: the ledger shows one effect, and nothing of the old permit.
 */
import { type CrashPoint } from '../../activities/dependencies';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { inWorld, type StartedIntent, type World } from '../support/fresh-world';
import { until } from '../support/until';

/** The server goes on handing tasks to a frozen worker whose connections are open. */
const UNTIL_OTHERS_GO_ON_MS = 180_000;
jest.setTimeout(240_000);

/** An intent whose first send stands still at `point`, and a healthy worker beside the frozen one. */
async function freezeAt(
  world: World,
  point: CrashPoint,
  provider: SimulatorProvider = 'sim-lookup',
) {
  const frozen = await world.worker(undefined, point);
  const intent = await world.start(provider, { patienceMs: 300_000 });
  await frozen.untilFrozen();
  await world.worker();
  return { frozen, intent };
}

const untilSucceeded = (world: World, { id }: StartedIntent) =>
  until(
    'the others end it',
    async () => {
      const { status } = await world.read(id);
      return status === 'succeeded' ? true : undefined;
    },
    UNTIL_OTHERS_GO_ON_MS,
  );

interface Answer {
  readonly attempt: number;
  readonly kind: string;
}

/** Answers to sends, in the order in which they were recorded. */
async function answersOf(world: World, { id }: StartedIntent): Promise<readonly Answer[]> {
  const { rows } = await world.database.owner.query<Answer>(
    `select attempt, finding ->> 'kind' as kind from observations
     where intent = $1 and source = 'response' order by observed_at`,
    [id],
  );
  return rows;
}

const answerToFirst = (world: World, intent: StartedIntent) =>
  until('the thawed worker tells what it did', async () =>
    (await answersOf(world, intent)).find((one) => one.attempt === 1),
  );

async function ledgerOf(world: World, { source }: StartedIntent) {
  const { effects, calls } = await world.simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

it.concurrent(
  'thawed past its permit it sends nothing; another proved absence and sent attempt 2',
  async () => {
    await inWorld(async (world) => {
      const { frozen, intent } = await freezeAt(world, 'attempt-opened');
      await untilSucceeded(world, intent);
      expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
      const before = await world.read(intent.id);
      frozen.thaw();
      expect(await answerToFirst(world, intent)).toEqual({ attempt: 1, kind: 'not_sent' });
      // Recorded after the end, and nothing moved by it.
      expect(await answersOf(world, intent)).toEqual([
        { attempt: 2, kind: 'applied' },
        { attempt: 1, kind: 'not_sent' },
      ]);
      expect(await world.read(intent.id)).toMatchObject({
        status: 'succeeded',
        version: before.version,
        providerId: before.providerId,
      });
      expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
);

it.concurrent(
  'thawed past its permit before others went on, it says so and the next attempt is sent',
  async () => {
    await inWorld(async (world) => {
      const { frozen, intent } = await freezeAt(world, 'attempt-opened');
      await until('the permit has run out', async () => {
        const { rowCount } = await world.database.owner.query(
          'select from attempts where intent = $1 and send_deadline < clock_timestamp()',
          [intent.id],
        );
        return rowCount === 1 ? true : undefined;
      });
      frozen.thaw();
      expect(await answerToFirst(world, intent)).toEqual({ attempt: 1, kind: 'not_sent' });
      await untilSucceeded(world, intent);
      expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
);

it.concurrent(
  'an answer that was frozen on its way is kept as evidence and moves nothing',
  async () => {
    await inWorld(async (world) => {
      const { frozen, intent } = await freezeAt(world, 'answer-received');
      await untilSucceeded(world, intent);
      const before = await world.read(intent.id);
      expect(await answersOf(world, intent)).toEqual([]);
      frozen.thaw();
      expect(await answerToFirst(world, intent)).toEqual({ attempt: 1, kind: 'applied' });
      expect(await world.read(intent.id)).toMatchObject({
        status: 'succeeded',
        version: before.version,
        discrepancySince: null,
      });
      expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
);

it.concurrent(
  'where nobody can be asked, the frozen answer ends the review, and its run',
  async () => {
    await inWorld(async (world) => {
      const { frozen, intent } = await freezeAt(world, 'answer-received', 'sim-blind');
      const inReview = async () => (await world.read(intent.id)).status === 'in_review';
      await until(
        'a person is asked',
        async () => ((await inReview()) ? true : undefined),
        UNTIL_OTHERS_GO_ON_MS,
      );
      frozen.thaw();
      await untilSucceeded(world, intent);
      await until('the run hears of it and closes', async () => {
        const { status } = await world.client.workflow.getHandle(intent.workflowId).describe();
        return status.name === 'COMPLETED' ? true : undefined;
      });
      expect(await ledgerOf(world, intent)).toEqual({ effects: 1, charges: 1 });
    });
  },
);
