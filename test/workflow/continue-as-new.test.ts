/**
 * A doubt that lasts so long that its run continues as new, many times: on a server that suggests it
 * after forty events. What arrives around that moment is not lost, and nothing is sent again.
 */
import { type WorkflowHandle } from '@temporalio/client';
import { readDecisions } from '../../store/read-decisions';
import { LOOK_UP } from '../support/journal-of';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { type OwnTemporal, temporalThatSuggestsAfter } from '../support/own-temporal';
import { until } from '../support/until';

jest.setTimeout(120_000);

const SUGGESTED_AFTER = 40;
/** What may still be under way when it is suggested: a look-up, updates, their activities. */
const ROOM = 60;

let temporal: OwnTemporal;
let world: World;
beforeAll(async () => {
  temporal = await temporalThatSuggestsAfter(SUGGESTED_AFTER);
  world = await freshWorld({ temporalAddress: temporal.address });
  await world.worker();
});
afterAll(async () => {
  await world.close();
  await temporal.close();
});

const handleOf = ({ workflowId }: StartedIntent, runId?: string): WorkflowHandle =>
  world.client.workflow.getHandle(workflowId, runId);

/** A charge that landed, its answer lost; look-ups fail `failures` times, then show it. */
async function inDoubt(
  source: string,
  { failures, scheduleMs }: { readonly failures: number; readonly scheduleMs: readonly number[] },
): Promise<StartedIntent> {
  await world.simulator.programme({ on: 'charge', do: 'reset-after-effect', match: { source } });
  await world.simulator.programme({
    on: 'query',
    do: 'http-500-no-effect',
    times: failures,
    match: { source },
  });
  const lookUp = { ...LOOK_UP, lagMs: 200, scheduleMs };
  return world.start('sim-lookup', { source, patienceMs: 600_000, contract: { lookUp } });
}

/** Adds the present run to those that were seen. */
async function see(intent: StartedIntent, runs: Set<string>): Promise<ReadonlySet<string>> {
  return runs.add((await handleOf(intent).describe()).runId);
}

async function ledgerOf({ source }: StartedIntent) {
  const { effects, calls } = await world.simulator.ledger(source);
  return {
    effects: effects.length,
    charges: calls.filter(({ call }) => call === 'charge').length,
    questions: calls.filter(({ call }) => call === 'query').length,
  };
}

it.concurrent.each(['a', 'b', 'c'])(
  'B119: a doubt over many runs: no history grows, nothing is sent twice, a decision counts once (%s)',
  async (name) => {
    const intent = await inDoubt(`card_long_${name}`, { failures: 40, scheduleMs: [20] });
    const runs = new Set<string>();
    await until('its third run', async () => (await see(intent, runs)).size >= 3 || undefined);
    const decisionId = `long-${intent.id}`;
    const decision = { operator: 'olive', evidence: 'the statement', reason: 'it is there' };
    const answer = await handleOf(intent).executeUpdate('decide', {
      args: [{ decision_id: decisionId, decision: 'applied', ...decision }],
    });
    expect(answer).toMatchObject({ decisionId, state: 'effective' });
    await until('it ends', async () => {
      await see(intent, runs);
      return (await world.read(intent.id)).status === 'succeeded' || undefined;
    });
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
    await see(intent, runs);
    expect(await ledgerOf(intent)).toMatchObject({ effects: 1, charges: 1 });
    expect(await readDecisions(world.database.api, intent.id, 'every-tenant')).toHaveLength(1);
    expect(runs.size).toBeGreaterThan(3);
    for (const runId of runs) {
      const { events } = await handleOf(intent, runId).fetchHistory();
      expect((events ?? []).length).toBeLessThan(SUGGESTED_AFTER + ROOM);
    }
  },
);

it('B119: the provider is asked after every answered lookUpNow, whichever run answered it', async () => {
  const intent = await inDoubt('card_long_asked', { failures: 1_000, scheduleMs: [100, 600_000] });
  await until(
    'the schedule is through',
    async () => (await ledgerOf(intent)).questions >= 2 || undefined,
  );
  const runs = new Set<string>();
  for (let round = 0; (await see(intent, runs)).size < 6; round += 1) {
    const { questions } = await ledgerOf(intent);
    // The journal seems to have grown: the run reads it, and may reach its end while it is asked.
    const [answer] = await Promise.all([
      handleOf(intent).executeUpdate<{ message: string }, []>('lookUpNow'),
      handleOf(intent).signal('journalGrew'),
    ]);
    expect(answer.message).toMatch(/^Asking sim-lookup/);
    await until(
      `question ${round}`,
      async () => (await ledgerOf(intent)).questions > questions || undefined,
      5_000,
    );
  }
  expect(await ledgerOf(intent)).toMatchObject({ effects: 1, charges: 1 });
});
