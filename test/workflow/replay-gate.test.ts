/** The gate against a live namespace: open, closed and busy runs, and a change that breaks them. */
import { type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { liveHistories } from '../../replay/live-histories';
import { bundleForReplay, silenceReplays } from '../../replay/replay-history';
import { replayAll } from '../../replay/replay-report';
import { freshWorld, type World } from '../support/fresh-world';
import { until } from '../support/until';

let world: World;
let bundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  silenceReplays();
  world = await freshWorld();
  bundle = await bundleForReplay();
});
afterAll(() => world.close());

it('B117: replays the open and the closed runs of a namespace, and refuses a planted change', async () => {
  await world.worker();
  const closed = await world.start('sim-full');
  const open = await world.start('sim-blind', { source: `card_gate_${Date.now()}` });
  await world.untilEnded(closed.id);
  await world.untilEnded(open.id);
  await untilListed(2);

  const query = 'WorkflowType = "settleIntent"';
  const selection = { query, closed: 10 };
  expect(await replayAll(bundle, liveHistories(world.client, selection))).toEqual({
    replayed: 2,
    broken: [],
  });
  const planted = await bundleForReplay(require.resolve('../replay/planted-change'));
  const report = await replayAll(planted, liveHistories(world.client, selection));
  expect(report.broken.map((one) => one.how)).toEqual([
    expect.stringContaining('Determinism'),
    expect.stringContaining('Determinism'),
  ]);
});

it('B116: a run that is busy while it is fetched is no false alarm', async () => {
  const started = await Promise.all(Array.from({ length: 20 }, () => world.start('sim-full')));
  const fetched = await replayAll(bundle, liveHistories(world.client, { closed: 100 }));
  expect(fetched.broken).toEqual([]);
  expect(fetched.replayed).toBeGreaterThan(0);
  await Promise.all(started.map((one) => world.untilEnded(one.id)));
});

/** Visibility is eventually consistent. */
async function untilListed(count: number): Promise<void> {
  await until(`${count} runs are listed`, async () => {
    const { count: found } = await world.client.workflow.count('WorkflowType = "settleIntent"');
    return found >= count || undefined;
  });
}
