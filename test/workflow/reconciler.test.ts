/**
 * What a provider lists and our books do not know: made at the provider itself, behind our back, under
 * the references of our intents. The reconciler finds it, says so, and touches nothing.
 */
import { randomUUID } from 'node:crypto';
import { providerReference } from '../../domain/identity';
import { chargeBehindOurBack } from '../support/behind-our-back';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { sharedStack } from '../support/shared-stack';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

const referenceOf = ({ id }: StartedIntent) => providerReference(id, 'apply');

async function lastRead(): Promise<string | undefined> {
  const { rows } = await world.database.owner.query<{ at: string }>(
    "select updated_at::text as at from listing_places where provider = 'sim-lookup' and kind = 'refund'",
  );
  return rows[0]?.at;
}

/** Asks for a pass and waits until it has come to its last listing. */
async function pass(): Promise<void> {
  const before = await lastRead();
  await world.client.workflow.getHandle('resolute.reconciler.sim-lookup').signal('reconcileNow');
  await until('a pass comes by', async () =>
    (await lastRead()) === before ? undefined : (true as const),
  );
}

const untilFound = (intent: StartedIntent) =>
  until('the reconciler finds it', async () => {
    await pass();
    const row = await world.read(intent.id);
    return row.discrepancySince === null ? undefined : row;
  });

async function lookUpsOf({ id }: StartedIntent): Promise<number> {
  const { rows } = await world.database.owner.query<{ n: number }>(
    "select count(*)::int as n from observations where intent = $1 and source = 'look_up'",
    [id],
  );
  return rows[0]?.n ?? 0;
}

it('an effect of a failed intent opens a discrepancy on it, once', async () => {
  const source = 'card_reconciled_failed';
  await world.simulator.programme({ on: 'charge', do: 'decline', match: { source } });
  const intent = await world.start('sim-lookup', { source });
  const ended = await world.untilEnded(intent.id);
  expect(ended.status).toBe('failed');
  const providerId = await chargeBehindOurBack(sharedStack().ready, {
    reference: referenceOf(intent),
    source,
  });
  const found = await untilFound(intent);
  expect(found).toMatchObject({ status: 'failed', version: ended.version + 1 });
  expect(found.discrepancyReason).toContain(providerId);
  const asked = await lookUpsOf(intent);
  await pass();
  await pass();
  expect(await lookUpsOf(intent)).toBe(asked);
  const { calls } = await world.simulator.ledger(source);
  expect(calls.filter(({ call }) => call !== 'query')).toHaveLength(2);
});

it('a second effect of an intent that succeeded opens a discrepancy with both', async () => {
  const intent = await world.start('sim-lookup');
  const ended = await world.untilEnded(intent.id);
  expect(ended.status).toBe('succeeded');
  await chargeBehindOurBack(sharedStack().ready, {
    reference: referenceOf(intent),
    source: intent.source,
  });
  const found = await untilFound(intent);
  expect(found).toMatchObject({ status: 'succeeded', providerId: ended.providerId });
  expect(found.discrepancyReason).toContain('2 effects under one reference');
  expect((await world.simulator.ledger(intent.source)).effects).toHaveLength(2);
});

it('an effect without an intent is kept for a person, a foreign one is left alone', async () => {
  const source = 'card_reconciled_orphan';
  const lost = { id: randomUUID(), workflowId: '', source };
  const orphan = await chargeBehindOurBack(sharedStack().ready, {
    reference: referenceOf(lost),
    source,
  });
  await chargeBehindOurBack(sharedStack().ready, { reference: 'order-of-another-system', source });
  const orphans = async () => {
    const { rows } = await world.database.owner.query<{ id: string; about: string }>(
      'select provider_id as id, about from orphan_effects where provider_id = $1 or about = $2',
      [orphan, lost.id],
    );
    return rows;
  };
  await until('the reconciler keeps it', async () => {
    await pass();
    return (await orphans()).length > 0 ? true : undefined;
  });
  await pass();
  expect(await orphans()).toEqual([{ id: orphan, about: lost.id }]);
  expect((await world.simulator.ledger(source)).effects.map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
  ]);
});

it('an effect that fits is not asked about', async () => {
  const intent = await world.start('sim-lookup');
  await world.untilEnded(intent.id);
  await until('it was listed', async () => {
    await pass();
    const { rows } = await world.database.owner.query(
      `select from listing_places where provider = 'sim-lookup' and kind = 'charge'
         and until > (select finalised_at + interval '1 second' from intents where id = $1)
         and is_read`,
      [intent.id],
    );
    return rows.length > 0 ? true : undefined;
  });
  expect(await lookUpsOf(intent)).toBe(0);
  expect((await world.read(intent.id)).discrepancySince).toBeNull();
});
