/**
 * Notifications whose wake-up never came, and a provider that notifies and cannot be asked: no gateway
 * runs in this world, so whatever is heard, the auditor saw to it.
 */
import { type ToldFinding } from '../../domain/told-effect';
import { type SimulatorProvider } from '../../providers/simulator-contracts';
import { takeInNotification } from '../../store/take-in-notification';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { until } from '../support/until';

const NOTES_ONLY = { key: null, lookUp: null, notifications: true } as const;

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

async function tell(
  intent: StartedIntent,
  finding: ToldFinding,
  provider: SimulatorProvider = 'sim-lookup',
): Promise<void> {
  await takeInNotification(world.database.api, {
    provider,
    eventId: `evt_${intent.source}_${finding.kind}`,
    type: `charge.${finding.kind}`,
    bodyDigest: Buffer.alloc(32),
    about: { intentId: intent.id, effect: 'apply' },
    told: { finding, amount: 1000, currency: 'EUR', providerKey: null },
  });
}

async function isClosed(intent: StartedIntent): Promise<true | undefined> {
  const { status } = await world.client.workflow.getHandle(intent.workflowId).describe();
  return status.name === 'RUNNING' ? undefined : true;
}

const untilStatus = (intent: StartedIntent, status: string) =>
  until(`it is ${status}`, async () =>
    (await world.read(intent.id)).status === status ? true : undefined,
  );

it('where nobody can be asked a success ends the doubt, and the run that waited', async () => {
  const source = 'card_notes_only';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const intent = await world.start('sim-lookup', { source, contract: NOTES_ONLY });
  await untilStatus(intent, 'unknown');
  const { effects } = await world.simulator.ledger(source);
  await tell(intent, { kind: 'applied', providerId: effects[0]?.id ?? '' });
  await untilStatus(intent, 'succeeded');
  await until('the run closes', () => isClosed(intent));
  const ledger = await world.simulator.ledger(source);
  expect([ledger.effects.length, ledger.calls.length]).toEqual([1, 1]);
});

it('B79: a decline whose answer was lost is told, and ends it failed, without effect', async () => {
  const source = 'card_notes_only_declined';
  await world.simulator.programme({ on: 'charge', do: 'timeout-before-effect', match: { source } });
  const intent = await world.start('sim-lookup', { source, contract: NOTES_ONLY });
  await untilStatus(intent, 'unknown');
  await tell(intent, { kind: 'rejected', code: 'card_declined', declined: true });
  await untilStatus(intent, 'failed');
  await until('the run closes', () => isClosed(intent));
  expect((await world.simulator.ledger(source)).effects).toEqual([]);
});

it('told in review, it ends the review', async () => {
  const source = 'card_notes_only_review';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const more = { source, contract: NOTES_ONLY, patienceMs: 1_500 };
  const intent = await world.start('sim-lookup', more);
  await untilStatus(intent, 'in_review');
  await tell(intent, { kind: 'applied', providerId: 'ch_1' });
  await untilStatus(intent, 'succeeded');
  await until('the run closes', () => isClosed(intent));
});

it('told after the end, it becomes evidence all the same', async () => {
  const intent = await world.start('sim-lookup');
  await untilStatus(intent, 'succeeded');
  await tell(intent, { kind: 'pending', providerId: 'ch_1' });
  await until('it is evidence', async () => {
    const { rowCount } = await world.database.owner.query(
      "select from observations where intent = $1 and source = 'notification'",
      [intent.id],
    );
    return rowCount === 1 ? true : undefined;
  });
  expect(await world.read(intent.id)).toMatchObject({
    ...{ status: 'succeeded', discrepancySince: null },
  });
});

it('the auditor says how many wait for an intent that nobody knows', async () => {
  const intent = await world.record('sim-lookup');
  await tell(intent, { kind: 'applied', providerId: 'ch_1' }, 'sim-full');
  const auditor = world.client.workflow.getHandle('resolute.auditor');
  await until('a pass counts it', async () => {
    const { events } = await auditor.fetchHistory();
    const results = (events ?? []).flatMap(
      ({ activityTaskCompletedEventAttributes: done }) => done?.result?.payloads ?? [],
    );
    const last = results.at(-1)?.data;
    if (last === undefined || last === null) return undefined;
    const { unmatched } = JSON.parse(Buffer.from(last).toString()) as { unmatched: number };
    return unmatched === 1 ? true : undefined;
  });
});
