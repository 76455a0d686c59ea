/**
 * A release says that nothing lands later than 4 s after the deadline, where the provider means 20 s: a
 * miss would count as proof too early, and the charge would be sent twice. Found in time: the worker is
 * stopped, the open intents' contract is put right, their runs are terminated, and then work goes on.
 */
import { REHEARSAL_CONTRACTS } from './contracts';
import { inDatabase, inTemporal } from './programs';
import { type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';

const { send, look_up, patience_ms } = REHEARSAL_CONTRACTS['sim-lookup'];
const withHorizon = (horizon_ms: number) => ({
  ...REHEARSAL_CONTRACTS,
  'sim-lookup': { send: { ...send, horizon_ms }, look_up, patience_ms },
});
const WRONG_MS = 4_000;
const RIGHT_MS = 20_000;
/** After the wrong proof time, before the right one. */
const LANDS_MS = 15_000;

export const wrongContract: Rehearsal = {
  name: 'wrong-contract',
  isAlone: true,
  async perform(stage) {
    await stage.restart(undefined, withHorizon(WRONG_MS));
    const charge = { name: 'contract', provider: 'sim-lookup' };
    await stage.fault(charge.name, { on: 'charge', do: 'late-effect', delay_ms: LANDS_MS });
    await stage.untilStatus({ ...charge, wait: 0 }, 'unknown');
    // Frozen, as the supervisor would start a dead one again: `docker compose stop worker` elsewhere.
    stage.signal('worker', 'SIGSTOP');
    stage.say(`  unknown, under a horizon of ${WRONG_MS} ms; worker stopped before its proof time`);
    await correct(stage);
    await terminateOpenRuns(stage);
    await stage.restart(undefined, withHorizon(RIGHT_MS));
    await stage.untilStatus(charge, 'succeeded');
    must('one effect', (await stage.effects(charge.name)).length === 1);
    stage.say(`  contract put right (${RIGHT_MS} ms), runs started again: found, one effect`);
  },
};

/** The statement of the page. */
async function correct(stage: Stage): Promise<void> {
  const changed = await inDatabase(stage.ready, (pool) =>
    pool.query({
      text: `update intents set contract = jsonb_set(contract, '{send,horizonMs}', $1)
        where provider = 'sim-lookup' and status not in ('succeeded', 'failed', 'canceled')`,
      values: [String(RIGHT_MS)],
    }),
  );
  must('the open intent was put right', changed.rowCount === 1);
}

async function terminateOpenRuns(stage: Stage): Promise<void> {
  await inTemporal(stage.ready, async ({ workflow }) => {
    const query = 'WorkflowType = "settleIntent" AND ExecutionStatus = "Running"';
    for await (const { workflowId } of workflow.list({ query })) {
      await workflow.getHandle(workflowId).terminate('its contract was put right');
    }
  });
}
