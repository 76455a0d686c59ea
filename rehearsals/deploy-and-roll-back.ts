/** The gate, then every program of ours is replaced while charges are in flight. */
import { type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';
import { run } from './programs';
import { until } from '../local/until';

export const deployAndRollBack: Rehearsal = {
  name: 'deploy-and-roll-back',
  async perform(stage) {
    // One that stays open, so that the gate has an open run to replay.
    const open = { name: 'deploy-open', provider: 'sim-blind' };
    await stage.fault(open.name, { on: 'charge', do: 'timeout-after-effect' });
    await stage.untilStatus(open, 'in_review');
    const gate = await run('replay/main.js', ['--live'], {
      TEMPORAL_ADDRESS: stage.ready.temporal.address,
    });
    stage.say(`  gate: ${gate.trim().replaceAll('\n', '; ')}`);
    await stage.tell('settings', { latency_ms: 300 });
    const names = Array.from({ length: 20 }, (_, n) => `deploy-${n}`);
    const settled = Promise.all(names.map((name) => stage.untilStatus({ name }, 'succeeded')));
    await replace(stage, 'worker');
    await replace(stage, 'api');
    await settled;
    await stage.tell('settings', { latency_ms: 0 });
    for (const name of names) must('one effect', (await stage.effects(name)).length === 1);
    stage.say('  worker and gateway replaced under 20 charges: all succeeded, one effect each');
  },
};

/** An orderly stop; here the supervisor starts the successor. */
async function replace(stage: Stage, name: 'worker' | 'api'): Promise<void> {
  const old = stage.ready.pids[name];
  stage.signal(name, 'SIGTERM');
  await until(`another ${name} runs`, () => stage.ready.pids[name] !== old || undefined);
}
