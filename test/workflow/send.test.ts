/** What stands before the permit: nothing that was knowable earlier may cost an attempt. */
import { startSettlement } from '../../orchestration/start-settlement';
import { openAttempt } from '../../store/open-attempt';
import { recordIntent } from '../../store/record-intent';
import { newIntent } from '../support/fresh-database';
import { freshWorld, type World } from '../support/fresh-world';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

async function failedSends({ workflowId }: { readonly workflowId: string }): Promise<number> {
  const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.filter((event) => event.activityTaskFailedEventAttributes).length ?? 0;
}

async function attemptsOf(intentId: string): Promise<number | null> {
  const { rowCount } = await world.database.owner.query('select from attempts where intent = $1', [
    intentId,
  ]);
  return rowCount;
}

describe('credentials of another account', () => {
  it('open no attempt and make no call, however often it is tried', async () => {
    const of = { provider: 'sim-lookup', providerAccount: 'acct_another' };
    const { intent } = await recordIntent(world.database.api, newIntent(of));
    await startSettlement(world.client, { ...intent, intentId: intent.id });
    await until('send has failed twice', async () => (await failedSends(intent)) > 1 || undefined);
    expect(await attemptsOf(intent.id)).toBe(0);
    expect((await world.read(intent.id)).status).toBe('accepted');
  });

  it('prove nothing absent: what was sent through the first account goes to a person', async () => {
    const source = 'card_of_another_account';
    const params = { ...newIntent().params, source };
    const of = newIntent({ provider: 'sim-lookup', providerAccount: 'acct_another', params });
    const contract = { ...of.contract, key: null, patienceMs: 4_000 };
    const { intent } = await recordIntent(world.database.api, { ...of, contract });
    const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
    const request = { intentId: intent.id, step, owner: 'a worker of the first account' };
    const opened = await openAttempt(world.database.worker, request);
    if (opened.kind !== 'opened') throw new Error('no permit');
    await startSettlement(world.client, { ...intent, contract, intentId: intent.id });
    await until('a person is asked', async () =>
      (await world.read(intent.id)).status === 'in_review' ? true : undefined,
    );
    const { calls } = await world.simulator.ledger(source);
    expect([await attemptsOf(intent.id), calls.length]).toEqual([1, 0]);
  });
});

it('what this release cannot send opens no attempt, and is tried again', async () => {
  const of = { operation: 'payment.later', provider: 'sim-blind' };
  const { intent } = await recordIntent(world.database.api, newIntent(of));
  await startSettlement(world.client, { ...intent, intentId: intent.id });
  await until('send has failed twice', async () => (await failedSends(intent)) > 1 || undefined);
  expect(await attemptsOf(intent.id)).toBe(0);
  expect((await world.read(intent.id)).status).toBe('accepted');
});
