/**
 * Notifications whose wake-up never came, and a provider that notifies and cannot be asked: no gateway
 * runs in this world, so whatever is heard, the auditor saw to it.
 */
import { providerReference } from '../../domain/identity';
import { type ToldFinding } from '../../domain/told-effect';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { takeInNotification } from '../../store/take-in-notification';
import { chargeBehindOurBack } from '../support/behind-our-back';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { sharedStack } from '../support/shared-stack';
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

it.concurrent(
  'where nobody can be asked a success ends the doubt, and the run that waited',
  async () => {
    const source = 'card_notes_only';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-after-effect',
      match: { source },
    });
    const intent = await world.start('sim-lookup', { source, contract: NOTES_ONLY });
    await untilStatus(intent, 'unknown');
    const { effects } = await world.simulator.ledger(source);
    await tell(intent, { kind: 'applied', providerId: effects[0]?.id ?? '' });
    await untilStatus(intent, 'succeeded');
    await until('the run closes', () => isClosed(intent));
    const ledger = await world.simulator.ledger(source);
    expect([ledger.effects.length, ledger.calls.length]).toEqual([1, 1]);
  },
);

it.concurrent(
  'B79: a decline whose answer was lost is told, and ends it failed, without effect',
  async () => {
    const source = 'card_notes_only_declined';
    await world.simulator.programme({
      on: 'charge',
      do: 'timeout-before-effect',
      match: { source },
    });
    const intent = await world.start('sim-lookup', { source, contract: NOTES_ONLY });
    await untilStatus(intent, 'unknown');
    await tell(intent, { kind: 'rejected', code: 'card_declined', declined: true });
    await untilStatus(intent, 'failed');
    await until('the run closes', () => isClosed(intent));
    expect((await world.simulator.ledger(source)).effects).toEqual([]);
  },
);

it.concurrent('told in review, it ends the review', async () => {
  const source = 'card_notes_only_review';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const more = { source, contract: NOTES_ONLY, patienceMs: 1_500 };
  const intent = await world.start('sim-lookup', more);
  await untilStatus(intent, 'in_review');
  await tell(intent, { kind: 'applied', providerId: 'ch_1' });
  await untilStatus(intent, 'succeeded');
  await until('the run closes', () => isClosed(intent));
});

it.concurrent('told after the end, it becomes evidence all the same', async () => {
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

describe('told otherwise after the end, the provider is asked', () => {
  const asked = async ({ id }: StartedIntent): Promise<number> => {
    const { rowCount } = await world.database.owner.query(
      "select from observations where intent = $1 and source = 'look_up'",
      [id],
    );
    return rowCount ?? 0;
  };
  const declined = async (source: string) => {
    await world.simulator.programme({ on: 'charge', do: 'decline', match: { source } });
    const intent = await world.start('sim-lookup', { source });
    await untilStatus(intent, 'failed');
    return intent;
  };

  it.concurrent('what it then shows is a discrepancy, and asked about once', async () => {
    const intent = await declined('card_told_otherwise');
    const { id, source } = intent;
    const reference = providerReference(id, 'apply');
    const providerId = await chargeBehindOurBack(sharedStack().ready, { reference, source });
    await tell(intent, { kind: 'applied', providerId });
    const found = await until('it stands beside the outcome', async () => {
      const row = await world.read(intent.id);
      return row.discrepancySince === null ? undefined : row;
    });
    expect(found).toMatchObject({ status: 'failed' });
    expect(found.discrepancyReason).toContain(providerId);
    expect([await asked(intent), await toldOtherwise(intent)]).toEqual([1, false]);
  });

  it.concurrent('a lie is one look-up, and nothing beside the outcome', async () => {
    const intent = await declined('card_lied_to');
    await tell(intent, { kind: 'applied', providerId: 'ch_lie' });
    await until('it was asked', async () => ((await asked(intent)) === 1 ? true : undefined));
    expect(await world.read(intent.id)).toMatchObject({ status: 'failed', discrepancySince: null });
    expect(await toldOtherwise(intent)).toBe(false);
  });

  it.concurrent('a provider that does not answer is asked again', async () => {
    const intent = await declined('card_told_to_the_deaf');
    const { source } = intent;
    await world.simulator.programme({
      on: 'query',
      do: 'http-500-no-effect',
      times: 1,
      match: { source },
    });
    await tell(intent, { kind: 'applied', providerId: 'ch_lie' });
    await until('it was not answered', async () =>
      (await asked(intent)) === 1 ? true : undefined,
    );
    expect(await toldOtherwise(intent)).toBe(true);
    await world.database.owner.query('update intents set audited_at = null where id = $1', [
      intent.id,
    ]);
    await until('it is asked again', async () => ((await asked(intent)) === 2 ? true : undefined));
    expect(await toldOtherwise(intent)).toBe(false);
  });
});

async function toldOtherwise({ id }: StartedIntent): Promise<boolean> {
  const { rows } = await world.database.owner.query<{ told: boolean }>(
    'select told_otherwise_since is not null as told from intents where id = $1',
    [id],
  );
  return rows[0]?.told ?? false;
}

it.concurrent('the auditor says how many wait for an intent that nobody knows', async () => {
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
