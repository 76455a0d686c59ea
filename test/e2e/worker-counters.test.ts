/** What the worker alone counts: what it noticed, and what it kept from happening. */
import { randomUUID } from 'node:crypto';
import { type Status } from '../../domain/status';
import { startSettlement } from '../../orchestration/start-settlement';
import { requestCancel } from '../../store/request-cancel';
import { takeInNotification } from '../../store/take-in-notification';
import { scrape } from '../support/scrape';
import { until } from '../support/until';
import { watchedWorld } from '../support/watched-world';

const STARTS_MS = 120_000;
/** Nobody listens there. */
const NO_COLLECTOR = '';

let world: Awaited<ReturnType<typeof watchedWorld>>;
beforeAll(async () => {
  world = await watchedWorld(NO_COLLECTOR);
}, STARTS_MS);
afterAll(() => world.close());

it('B73: a notification about nothing that we know is counted once, when it is a minute old', async () => {
  const counted = async () =>
    (await scrape(world.workerMetrics)).sum('resolute_notifications_unmatched_total');
  expect(await counted()).toBe(0);
  await takeInNotification(world.database.api, {
    ...{ provider: 'sim-full', eventId: 'about-nothing', type: 'charge.succeeded' },
    bodyDigest: Buffer.alloc(32),
    about: { intentId: randomUUID(), effect: 'apply' },
    told: {
      finding: { kind: 'applied', providerId: 'ch_unknown' },
      ...{ amount: 1000, currency: 'EUR', providerKey: null },
    },
  });
  await world.database.owner.query(
    `update provider_notifications set received_at = now() - interval '61 seconds'
     where event_id = 'about-nothing'`,
  );
  await until('the auditor counts it', async () => ((await counted()) > 0 ? true : undefined));
  expect(await counted()).toBe(1);
});

it('a send that a cancel came before prevented no redundant effect, and is not counted as one', async () => {
  const prevented = async () =>
    (await scrape(world.workerMetrics)).sum('resolute_redundant_effects_prevented_total');
  const before = await prevented();
  const intent = await world.record('sim-full');
  await requestCancel(world.database.api, { id: intent.id, tenant: 'acme', by: 'test' });
  await startSettlement(world.client, { ...intent, intentId: intent.id });
  const { outcome } = (await world.client.workflow.getHandle(intent.workflowId).result()) as {
    readonly outcome: Status;
  };
  expect(outcome).toBe('canceled');
  expect(await prevented()).toBe(before);
});
