/**
 * Records the golden histories from real runs through the SDK's own converter (`npm run
 * record-histories`). Files are never edited, and never deleted while a run like them can exist: a new
 * release adds a folder of its own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { version } from '../../package.json';
import { isFinal } from '../../domain/status';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { temporalThatSuggestsAfter } from '../support/own-temporal';
import { type Fault } from '../support/simulator-client';
import { until } from '../support/until';

const FOLDER = join(__dirname, 'histories', 'settle-intent', version);

/** Name, provider, and what goes wrong. */
const CASES: readonly (readonly [string, SimulatorProvider, readonly Omit<Fault, 'match'>[]])[] = [
  ['happy', 'sim-full', []],
  ['decline', 'sim-full', [{ on: 'charge', do: 'decline' }]],
  ['lost-answer-found', 'sim-full', [{ on: 'charge', do: 'timeout-after-effect' }]],
  ['lost-answer-absent-sent-again', 'sim-lookup', [{ on: 'charge', do: 'timeout-before-effect' }]],
  ['lost-answer-repeated-under-key', 'sim-key', [{ on: 'charge', do: 'timeout-after-effect' }]],
  ['absent-and-given-up', 'sim-lookup', [{ on: 'charge', do: 'timeout-before-effect', times: 3 }]],
  ['saved-error-new-generation', 'sim-full', [{ on: 'charge', do: 'http-500-stored' }]],
  ['in-review-open', 'sim-blind', [{ on: 'charge', do: 'timeout-before-effect' }]],
];

let world: World;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  world = await freshWorld();
});
afterAll(() => world.close());

it.each(CASES)('records %s', async (name, provider, faults) => {
  const worker = await world.worker();
  const source = `card_${name}_${Date.now()}`;
  for (const fault of faults) await world.simulator.programme({ ...fault, match: { source } });
  const intent = await world.start(provider, { source });
  await world.untilEnded(intent.id);
  await untilQuiet(intent);
  await save(name, intent);
  await worker.kill('SIGTERM');
});

it.each([
  ['local-send', []],
  // Longer than a workflow task: the worker beats for it.
  ['local-send-slow', [{ on: 'charge', do: 'slow', delay_ms: 3_000 }]],
  ['local-send-lost-answer', [{ on: 'charge', do: 'timeout-before-effect' }]],
] as const)('records %s', async (name, faults) => {
  const worker = await world.worker();
  const source = `card_${name}_${Date.now()}`;
  for (const fault of faults) await world.simulator.programme({ ...fault, match: { source } });
  const contract = { send: { budgetMs: 6_000, horizonMs: 300, mayRepeat: false } };
  const more = name === 'local-send-slow' ? { contract } : {};
  const intent = await world.start('sim-lookup', { source, firstSend: 'local-activity', ...more });
  await untilFinal(intent);
  await save(name, intent);
  await worker.kill('SIGTERM');
});

it('records pending-then-succeeded', async () => {
  const worker = await world.worker();
  const source = `card_pending_${Date.now()}`;
  await world.simulator.programme({ on: 'charge', do: 'pending', match: { source } });
  const intent = await world.start('sim-full', { source });
  const charge = await until('it is pending', async () => {
    const { status } = await world.read(intent.id);
    return status === 'pending' ? (await world.simulator.ledger(source)).effects[0] : undefined;
  });
  await until(
    'a look-up was made',
    async () =>
      (await world.simulator.ledger(source)).calls.some((one) => one.call === 'query') || undefined,
  );
  await world.simulator.settlePending(charge.id);
  await world.untilEnded(intent.id);
  await untilQuiet(intent);
  await save('pending-then-succeeded', intent);
  await worker.kill('SIGTERM');
});

it('records a worker killed in mid-call', async () => {
  const source = `card_killed_${Date.now()}`;
  const dying = await world.worker('answer-received');
  const intent = await world.start('sim-lookup', { source });
  await dying.ended;
  await world.worker();
  await world.untilEnded(intent.id);
  await untilQuiet(intent);
  await save('worker-killed-in-mid-call', intent);
});

/** What an operator sends from the Web UI. */
const DECISION = { operator: 'olive', evidence: 'line 7 of the statement', reason: 'found it' };

/** A lost answer at the provider that nobody can ask, until it waits for a person. */
async function untilInReview(name: string): Promise<StartedIntent> {
  const source = `card_${name}_${Date.now()}`;
  await world.simulator.programme({
    on: 'charge',
    do: name === 'decided-applied' ? 'timeout-after-effect' : 'timeout-before-effect',
    match: { source },
  });
  const intent = await world.start('sim-blind', { source });
  await world.untilEnded(intent.id);
  await untilQuiet(intent);
  return intent;
}

it.each(['applied', 'not_applied', 'retry'] as const)('records decided-%s', async (decision) => {
  const worker = await world.worker();
  const name = `decided-${decision.replace('_', '-')}`;
  const intent = await untilInReview(name);
  const form = { decision_id: `recorded-${intent.id}`, decision, ...DECISION };
  await world.client.workflow
    .getHandle(intent.workflowId)
    .executeUpdate('decide', { args: [form] });
  await untilFinal(intent);
  await save(name, intent);
  await worker.kill('SIGTERM');
});

it('records canceled-and-voided', async () => {
  const worker = await world.worker();
  const source = `card_voided_${Date.now()}`;
  await world.simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
  const intent = await world.start('sim-full', { source });
  await untilSent(source);
  await world.client.workflow
    .getHandle(intent.workflowId)
    .executeUpdate('cancel', { args: [{ operator: 'olive' }] });
  await untilFinal(intent);
  await save('canceled-and-voided', intent);
  await worker.kill('SIGTERM');
});

it('records request-cancellation', async () => {
  const worker = await world.worker();
  const source = `card_requested_${Date.now()}`;
  await world.simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
  const intent = await world.start('sim-lookup', { source });
  await untilSent(source);
  await world.client.workflow.getHandle(intent.workflowId).cancel();
  await untilFinal(intent);
  await save('request-cancellation', intent);
  await worker.kill('SIGTERM');
});

it('records asked-now, open in review', async () => {
  const worker = await world.worker();
  const source = `card_asked_${Date.now()}`;
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await world.simulator.programme({
    on: 'query',
    do: 'wrong-amount',
    times: 'always',
    match: { source },
  });
  const intent = await world.start('sim-full', { source });
  await world.untilEnded(intent.id);
  await world.client.workflow.getHandle(intent.workflowId).executeUpdate('lookUpNow');
  await untilQuiet(intent);
  await save('asked-now-open', intent);
  await worker.kill('SIGTERM');
});

it('records continued-as-new: the first run of a long doubt, and the last', async () => {
  const temporal = await temporalThatSuggestsAfter(40);
  const elsewhere = await freshWorld({ temporalAddress: temporal.address });
  try {
    await elsewhere.worker();
    const source = `card_long_${Date.now()}`;
    const match = { source };
    await world.simulator.programme({ on: 'charge', do: 'reset-after-effect', match });
    await world.simulator.programme({ on: 'query', do: 'http-500-no-effect', times: 8, match });
    const intent = await elsewhere.start('sim-lookup', { source, scheduleMs: [20] });
    const handle = elsewhere.client.workflow.getHandle(intent.workflowId);
    const { runId: first } = await handle.describe();
    await until('a second run', async () => (await handle.describe()).runId !== first || undefined);
    const decision = { decision_id: `recorded-${intent.id}`, decision: 'applied', ...DECISION };
    await handle.executeUpdate('decide', { args: [decision] });
    await handle.result();
    const runOf = (runId: string) => elsewhere.client.workflow.getHandle(intent.workflowId, runId);
    write('continued-as-new', await runOf(first).fetchHistory());
    write('continued-as-new-successor', await handle.fetchHistory());
  } finally {
    await elsewhere.close();
    await temporal.close();
  }
});

async function untilSent(source: string): Promise<void> {
  await until('the charge was received', async () => {
    const { calls } = await world.simulator.ledger(source);
    return calls.length > 0 || undefined;
  });
}

async function untilFinal(intent: StartedIntent): Promise<void> {
  await until('it is final', async () => {
    const { status } = await world.read(intent.id);
    return isFinal(status) || undefined;
  });
  await untilQuiet(intent);
}

async function save(name: string, intent: StartedIntent): Promise<void> {
  write(name, await world.client.workflow.getHandle(intent.workflowId).fetchHistory());
}

function write(name: string, history: Parameters<typeof historyToJSON>[0]): void {
  writeFileSync(join(FOLDER, `${name}.json`), `${historyToJSON(history)}\n`);
}

/**
 * Until the run is closed or waits for a person. A history taken while a workflow task is in progress
 * replays as a false alarm.
 */
async function untilQuiet(intent: StartedIntent): Promise<void> {
  const handle = world.client.workflow.getHandle(intent.workflowId);
  const { status } = await world.read(intent.id);
  await until('the run is at rest', async () => {
    const { raw, status: run } = await handle.describe();
    if (status !== 'in_review') return run.name === 'RUNNING' ? undefined : true;
    const busy = raw.pendingWorkflowTask ?? raw.pendingActivities?.[0];
    return busy ? undefined : true;
  });
}
