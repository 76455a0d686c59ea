/** The gate against a live namespace: open, closed and busy runs, and a change that breaks them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { PROJECT_ROOT } from '../../local/project-root';
import { liveHistories } from '../../replay/live-histories';
import { bundleForReplay, silenceReplays } from '../../replay/replay-history';
import { replayAll } from '../../replay/replay-report';
import { freshWorld, type World } from '../support/fresh-world';
import { sharedStack } from '../support/shared-stack';
import { until } from '../support/until';

const MAIN = join(PROJECT_ROOT, 'dist', 'replay', 'main.js');
const WORKFLOWS = join(PROJECT_ROOT, 'dist', 'workflows', 'index.js');

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

it('a gate that replayed no live run is closed, and says where to look', async () => {
  const { ready } = sharedStack();
  const query = 'WorkflowType = "nobody"';
  const gate = spawn(
    process.execPath,
    [MAIN, '--live', '--query', query, '--workflows', WORKFLOWS],
    {
      cwd: PROJECT_ROOT,
      env: {
        ...process.env,
        TEMPORAL_ADDRESS: ready.temporal.address,
        TEMPORAL_NAMESPACE: world.namespace,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [said] = await Promise.all([text(gate.stderr), once(gate, 'exit')]);
  expect(said).toMatch(/No live run was replayed/);
  expect(gate.exitCode).toBe(1);
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
