/**
 * PostgreSQL and Temporal that disagree, as after a restore: an identity that is recorded anew while its
 * run has completed, and a run whose intent is gone. Nothing is sent; both are alarmed.
 */
import { randomUUID } from 'node:crypto';
import { startSettlement } from '../../orchestration/start-settlement';
import { readQueue } from '../../store/read-queue';
import { charge, type Reply } from '../support/intent-client';
import { scrape } from '../support/scrape';
import { startCollector } from '../support/trace-collector';
import { until } from '../support/until';
import { watchedWorld } from '../support/watched-world';

const STARTS_MS = 120_000;
/** The number of this level in the lines. */
const PINO_ERROR = 50;
const HELD_BACK = 'resolute_held_back_intents';

let collector: Awaited<ReturnType<typeof startCollector>>;
let world: Awaited<ReturnType<typeof watchedWorld>>;
beforeAll(async () => {
  collector = await startCollector();
  world = await watchedWorld(collector.url);
}, STARTS_MS);
afterAll(async () => {
  await world.close();
  collector.close();
}, STARTS_MS);

const source = 'card_held_back';
const key = randomUUID();

function send(): Promise<Reply> {
  const body = { source, reference: 'held-back', provider: 'sim-lookup' };
  return charge(world.api, body, { token: world.token, key, wait: 5 });
}

/** What a backup from before the charge has not. */
async function forget(id: string): Promise<void> {
  const tables = ['observations', 'attempts', 'intent_events', 'intents'];
  const deletes = tables.map((table) => {
    const column = table === 'intents' ? 'id' : 'intent';
    return `alter table ${table} disable trigger user;
      delete from ${table} where ${column} = '${id}';
      alter table ${table} enable trigger user;`;
  });
  await world.database.owner.query(`begin; ${deletes.join(' ')} commit`);
}

const gauge = async (): Promise<number> => (await scrape(world.apiMetrics)).sum(HELD_BACK);

/** A line of the worker's log. */
const logged = (text: string) =>
  until(`the worker says: ${text}`, () => world.logs.worker.find(({ msg }) => msg === text));

it(
  'an identity recorded anew is held back, shown and alarmed, and sends nothing',
  async () => {
    const first = await send();
    expect(first.status).toBe(201);
    const workflowId = (await world.read(String(first.body['id']))).workflowId;
    await until('its run has completed', async () => {
      const { status } = await world.client.workflow.getHandle(workflowId).describe();
      return status.name === 'COMPLETED' || undefined;
    });
    await forget(String(first.body['id']));
    const again = await send();
    expect([again.status, again.body['status']]).toEqual([202, 'accepted']);
    await until('the gauge shows it', async () => (await gauge()) === 1 || undefined, 60_000);
    const queue = await readQueue(world.database.api, { concern: 'held_back', limit: 10 });
    expect(queue.map(({ id }) => id)).toEqual([again.body['id']]);
    expect((await scrape(world.apiMetrics)).sum('resolute_overdue_intents')).toBe(0);
    const line = await logged('an intent is held back: a run of its id has completed');
    expect(line).toMatchObject({ level: PINO_ERROR, intent: again.body['id'] });
    expect((await world.simulator.ledger(source)).calls).toHaveLength(1);
  },
  STARTS_MS,
);

it(
  'a run whose intent is not in the database is counted and logged, and sends nothing',
  async () => {
    const gone = await world.record('sim-full', { source: 'card_gone' });
    await forget(gone.id);
    await startSettlement(world.client, { ...gone, intentId: gone.id });
    await until('it is counted', async () => {
      const { sum } = await scrape(world.workerMetrics);
      return sum('resolute_runs_without_intent_total') > 0 || undefined;
    });
    expect(await logged('a run has no intent in this database')).toMatchObject({
      ...{ level: PINO_ERROR, workflowId: gone.workflowId, intent: gone.id },
    });
    expect((await world.simulator.ledger('card_gone')).calls).toEqual([]);
  },
  STARTS_MS,
);
