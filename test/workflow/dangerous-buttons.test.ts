/**
 * The Web UI's buttons that nobody should press on an intent, pressed: reset to every workflow task,
 * terminate, start under a taken id. Nothing is sent again, nothing is lost.
 */
import { type Status } from '../../domain/status';
import { startSettlement } from '../../orchestration/start-settlement';
import { approveDecision } from '../../store/approve-decision';
import { readDecisions } from '../../store/read-decisions';
import { recordDecision } from '../../store/record-decision';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { completedTasks, latestRun, resetRun } from '../support/reset-run';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

function handleOf({ workflowId }: StartedIntent) {
  return world.client.workflow.getHandle(workflowId);
}

async function ledgerOf({ source }: StartedIntent) {
  const { effects, calls } = await world.simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

async function journalOf(intent: StartedIntent) {
  return handleOf(intent).query<{ attempts: unknown[]; observations: unknown[] }>('journal');
}

async function inReview(
  source: string,
  more: { readonly approvalThreshold?: number } = {},
): Promise<StartedIntent> {
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const intent = await world.start('sim-blind', { source, ...more });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  return intent;
}

/** Decided in PostgreSQL alone, as while Temporal is away. */
function decide(intent: StartedIntent) {
  return recordDecision(world.database.api, {
    intentId: intent.id,
    decisionId: `${intent.id}-1`,
    decision: 'applied',
    override: false,
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
    operator: 'olive',
    authenticated: true,
  });
}

/** Each workflow task that its run had completed; every reset makes a run of its own. */
async function resetToEachTask(intent: StartedIntent, status: Status): Promise<void> {
  const run = await latestRun(world.client, intent.workflowId);
  // The row is written by the activity; the run completes its task on it a moment later.
  const tasks = await until('the run knows where it stands', async () => {
    const completed = await completedTasks(world.client, run);
    return completed.length > 1 ? completed : undefined;
  });
  const runs = new Set([run.runId]);
  for (const task of tasks) {
    await resetRun(world.client, run, task);
    runs.add((await latestRun(world.client, intent.workflowId)).runId);
    await until('the new run knows the journal', async () =>
      (await journalOf(intent)).attempts.length === 1 ? true : undefined,
    );
    expect((await world.read(intent.id)).status).toBe(status);
  }
  expect(runs.size).toBe(tasks.length + 1);
}

it.concurrent('a finished run may be reset to each of its workflow tasks', async () => {
  const intent = await world.start('sim-lookup');
  await handleOf(intent).result();
  const run = await latestRun(world.client, intent.workflowId);
  // The row is written by the activity; the run completes its task on it a moment later.
  const tasks = await until('the run knows where it stands', async () => {
    const completed = await completedTasks(world.client, run);
    return completed.length > 1 ? completed : undefined;
  });
  for (const task of tasks) {
    await resetRun(world.client, run, task);
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
  }
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});

it.concurrent(
  'an unknown run may be reset to each of its workflow tasks, and still proves the outcome',
  async () => {
    const source = 'card_button_unknown';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    await world.simulator.programme({
      on: 'query',
      do: 'timeout',
      times: 'always',
      match: { source },
    });
    const intent = await world.start('sim-lookup', { source });
    await until('it has looked up in vain', async () =>
      (await journalOf(intent)).observations.length > 1 ? true : undefined,
    );
    await resetToEachTask(intent, 'unknown');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'a run in review may be reset to each of its workflow tasks, and can still be decided',
  async () => {
    const intent = await inReview('card_button_review');
    await resetToEachTask(intent, 'in_review');
    await handleOf(intent).executeUpdate('decide', {
      args: [
        {
          decision_id: 'after-the-resets',
          operator: 'olive',
          decision: 'applied',
          evidence: 'line 7 of the statement',
          reason: 'the payer was charged',
        },
      ],
    });
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'B122, INV-10: a run terminated in review is started again and asks for the decision again',
  async () => {
    const intent = await inReview('card_button_terminated');
    const { runId } = await latestRun(world.client, intent.workflowId);
    await handleOf(intent).terminate('test');
    await until('the auditor starts it again', async () => {
      const { runId: now, status } = await handleOf(intent).describe();
      return now !== runId && status.name === 'RUNNING' ? true : undefined;
    });
    expect((await world.read(intent.id)).status).toBe('in_review');
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'B122, INV-10: terminated with an open proposal, it is started again and approved once',
  async () => {
    const intent = await inReview('card_button_proposed', { approvalThreshold: 500 });
    expect(await decide(intent)).toMatchObject({ decision: { state: 'proposed' } });
    const { runId } = await latestRun(world.client, intent.workflowId);
    await handleOf(intent).terminate('test');
    await until('the auditor starts it again, and the new run shows the proposal', async () => {
      const { runId: now } = await latestRun(world.client, intent.workflowId);
      if (now === runId) return undefined;
      const { proposals = [] } = await handleOf(intent).query<{ proposals?: unknown[] }>('journal');
      return proposals.length === 1 || undefined;
    });
    expect((await world.read(intent.id)).status).toBe('in_review');
    const approval = { intentId: intent.id, decisionId: `${intent.id}-1`, operator: 'oscar' };
    const both = await Promise.all([1, 2].map(() => approveDecision(world.database.api, approval)));
    expect(both.map(({ kind }) => kind)).toEqual(['approved', 'approved']);
    const decisions = await readDecisions(world.database.api, intent.id, 'every-tenant');
    expect(decisions.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'applied proposed',
      'approve effective',
    ]);
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent(
  'INV-10: a run whose intent was decided while Temporal was away is told by the auditor',
  async () => {
    const intent = await inReview('card_button_untold');
    const { createdAt } = await world.read(intent.id);
    // Past the proof time the word counts at once, and nothing is due any more that the auditor could see.
    await until('nothing can land any more', () =>
      Promise.resolve(Date.now() > createdAt.getTime() + 4_000 ? true : undefined),
    );
    await decide(intent);
    expect((await world.read(intent.id)).status).toBe('succeeded');
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
    expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
  },
);

it.concurrent('a start under the id of an intent in review joins its run', async () => {
  const intent = await inReview('card_button_started');
  const { runId } = await latestRun(world.client, intent.workflowId);
  const row = await world.read(intent.id);
  await startSettlement(world.client, { ...row, intentId: row.id });
  expect((await latestRun(world.client, intent.workflowId)).runId).toBe(runId);
  expect(await ledgerOf(intent)).toEqual({ effects: 1, charges: 1 });
});
