/**
 * The Web UI's batch buttons over everything at once, the auditor among it: terminate, reset, signal,
 * cancel. The stack's own server refuses them; on one that does not, nothing is sent again.
 */
import { approveDecision } from '../../store/approve-decision';
import { readDecisions } from '../../store/read-decisions';
import { recordDecision } from '../../store/record-decision';
import { batch } from '../support/batch';
import { batchingServer } from '../support/batching-server';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { latestRun } from '../support/reset-run';
import { until } from '../support/until';

const STARTS_MS = 60_000;
const ALL = 'ExecutionStatus = "Running"';
/** Closed ones as well: they are offered for a reset. */
const ALL_OURS = 'WorkflowType = "settleIntent"';

let server: Awaited<ReturnType<typeof batchingServer>>;
let world: World;
let unknown: StartedIntent;
let inReview: StartedIntent;
let proposed: StartedIntent;
let finished: StartedIntent;

beforeAll(async () => {
  server = await batchingServer();
  world = await freshWorld({ temporalAddress: server.address });
  await world.worker();
  unknown = await lost('sim-lookup', 'card_batch_unknown');
  await until('it is unknown', async () =>
    (await world.read(unknown.id)).status === 'unknown' ? true : undefined,
  );
  inReview = await lost('sim-blind', 'card_batch_review');
  proposed = await lost('sim-blind', 'card_batch_proposal');
  for (const one of [inReview, proposed]) await world.untilEnded(one.id);
  await propose(proposed);
  finished = await world.start('sim-full', { source: 'card_batch_finished' });
  await world.client.workflow.getHandle(finished.workflowId).result();
}, STARTS_MS);
afterAll(async () => {
  await world.close();
  await server.close();
});

/** Charged, and the answer lost; whoever is asked stays silent. */
async function lost(provider: 'sim-lookup' | 'sim-blind', source: string): Promise<StartedIntent> {
  const match = { source };
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match });
  await world.simulator.programme({ on: 'query', do: 'timeout', times: 'always', match });
  return world.start(provider, { source, approvalThreshold: 500, patienceMs: 600_000 });
}

async function propose({ id }: StartedIntent): Promise<void> {
  const decided = await recordDecision(world.database.api, {
    ...{ intentId: id, decisionId: `${id}-1`, decision: 'applied', override: false },
    ...{ evidence: 'line 7', reason: 'charged', operator: 'olive', authenticated: true },
  });
  expect(decided).toMatchObject({ decision: { state: 'proposed' } });
}

const open = () => [unknown, inReview, proposed];

async function statuses(): Promise<readonly string[]> {
  const rows = await Promise.all([...open(), finished].map(({ id }) => world.read(id)));
  return rows.map(({ status }) => status);
}

/** Of all four: what the provider did, and how often it was asked to. */
async function ledger() {
  const all = [...open(), finished].map(({ source }) => world.simulator.ledger(source));
  return (await Promise.all(all)).map(({ effects, calls }) => ({
    effects: effects.length,
    charges: calls.filter(({ call }) => call === 'charge').length,
  }));
}

const ONCE_EACH = Array.from({ length: 4 }, () => ({ effects: 1, charges: 1 }));
const AS_BEFORE = ['unknown', 'in_review', 'in_review', 'succeeded'];

const runIds = () =>
  Promise.all(open().map(async (one) => (await latestRun(world.client, one.workflowId)).runId));

/** Every open intent has an open run that answers with its journal. */
async function untilOwned(earlier: readonly string[]): Promise<void> {
  await until(
    'each has a new run that knows its journal',
    async () => {
      const now = await runIds();
      if (now.some((runId, index) => runId === earlier[index])) return undefined;
      const journals = open().map(({ workflowId }) =>
        world.client.workflow.getHandle(workflowId).query<{ attempts: unknown[] }>('journal'),
      );
      const known = await Promise.all(journals).catch(() => []);
      return (
        (known.length > 0 && known.every(({ attempts }) => attempts.length === 1)) || undefined
      );
    },
    90_000,
  );
}

it('the stack’s own server refuses a batch of any kind', async () => {
  const here = await freshWorld();
  for (const operation of [{ terminationOperation: {} }, { cancellationOperation: {} }]) {
    await expect(batch(here.client, ALL, operation)).rejects.toThrow(
      /[Bb]atch operation feature are disabled/,
    );
  }
  await here.close();
});

it('B122, INV-10: terminated all at once, the auditor too, all are owned again and nothing is sent', async () => {
  const earlier = await runIds();
  const auditor = await latestRun(world.client, 'resolute.auditor');
  // Three intents, the auditor, the reconcilers.
  expect(await batch(world.client, ALL, { terminationOperation: {} })).toBeGreaterThan(3);
  await untilOwned(earlier);
  expect((await latestRun(world.client, 'resolute.auditor')).runId).not.toBe(auditor.runId);
  expect([await statuses(), await ledger()]).toEqual([AS_BEFORE, ONCE_EACH]);
}, 120_000);

it.each([
  ['first', { firstWorkflowTask: {} }],
  ['last', { lastWorkflowTask: {} }],
])(
  'reset all at once to their %s workflow task, nothing is sent',
  async (_title, options) => {
    const earlier = await runIds();
    const reset = await batch(world.client, ALL_OURS, { resetOperation: { options } });
    expect(reset).toBeGreaterThan(3);
    await untilOwned(earlier);
    await world.client.workflow.getHandle(finished.workflowId).result();
    expect([await statuses(), await ledger()]).toEqual([AS_BEFORE, ONCE_EACH]);
  },
  120_000,
);

it.each(['journalGrew', 'send', 'decide'])(
  'signalled %s all at once, nothing is sent',
  async (signal) => {
    expect(await batch(world.client, ALL, { signalOperation: { signal } })).toBeGreaterThan(3);
    const handle = world.client.workflow.getHandle(inReview.workflowId);
    expect(await handle.query('journal')).toMatchObject({ attempts: [{ number: 1 }] });
    expect([await statuses(), await ledger()]).toEqual([AS_BEFORE, ONCE_EACH]);
  },
  60_000,
);

it('canceled all at once, each has a cancel on record, and what was charged is not charged again', async () => {
  expect(await batch(world.client, ALL, { cancellationOperation: {} })).toBeGreaterThan(3);
  await until('each cancel is recorded', async () => {
    const rows = await Promise.all(open().map(({ id }) => world.read(id)));
    return (
      rows.every(({ cancelRequestedBy }) => cancelRequestedBy?.startsWith('unknown')) || undefined
    );
  });
  expect((await statuses()).filter((one) => one === 'failed')).toEqual([]);
  expect((await ledger()).map(({ charges }) => charges)).toEqual([1, 1, 1, 1]);
  expect((await world.read(finished.id)).cancelRequestedAt).toBeNull();
}, 60_000);

it('after all of it the proposal is still there, is approved once, and counts once', async () => {
  const decisionId = `${proposed.id}-1`;
  const approve = (operator: string) =>
    approveDecision(world.database.api, { intentId: proposed.id, decisionId, operator });
  expect((await approve('olive')).kind).toBe('refused');
  expect((await approve('oscar')).kind).toBe('approved');
  expect((await approve('oscar')).kind).toBe('approved');
  const decisions = await readDecisions(world.database.api, proposed.id, 'every-tenant');
  expect(decisions.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'applied proposed',
    'approve refused',
    'approve effective',
  ]);
  const { calls } = await world.simulator.ledger(proposed.source);
  expect(calls.filter(({ call }) => call === 'charge')).toHaveLength(1);
});
