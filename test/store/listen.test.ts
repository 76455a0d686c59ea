/** The listening connection, when the network between it and PostgreSQL goes without a word. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { wakeOnNotices } from '../../api/settled-notices';
import { Waiters } from '../../api/waiters';
import { listenForSettled, SETTLED_CHANNEL } from '../../store/listen';
import { endedIntent } from '../support/ended-intent';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';
import { swallowingProxy } from '../support/swallowing-proxy';
import { until } from '../support/until';

/** A caller who waits for as long as one may is answered as soon as one who waits for the default. */
const LONGEST_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 10_000;

let database: FreshDatabase;
let proxy: Awaited<ReturnType<typeof swallowingProxy>>;
let url: string;
beforeAll(async () => {
  database = await freshDatabase();
  proxy = await swallowingProxy(new URL(database.apiUrl));
  url = Object.assign(new URL(database.apiUrl), { host: proxy.host }).href;
});
afterAll(async () => {
  proxy.close();
  await database.close();
});

const notify = (id: string) =>
  database.owner.query('select pg_notify($1, $2)', [SETTLED_CHANNEL, id]);
const listeners = async (): Promise<number> =>
  (
    await database.owner.query(
      `select from pg_stat_activity
       where application_name = 'resolute-listener' and datname = current_database()`,
    )
  ).rowCount ?? 0;

test('it is opened again within a default wait, says that there was a gap, and hears', async () => {
  const heard: string[] = [];
  let gaps = 0;
  const listening = listenForSettled(url, {
    onSettled: (id) => heard.push(id),
    onGap: () => (gaps += 1),
    onError: () => undefined,
  });
  await until('it listens', () => gaps === 1 || undefined);
  await notify('before');
  await until('the notice is heard', () => heard.includes('before') || undefined);
  proxy.loseAll();
  await notify('lost');
  await until('the gap is told', () => gaps === 2 || undefined, DEFAULT_WAIT_MS);
  await notify('after');
  await until('the notice is heard', () => heard.includes('after') || undefined);
  expect(heard).toEqual(['before', 'after']);
  await listening.close();
  await until('no connection is left', async () => (await listeners()) === 0 || undefined);
});

test('a caller whose outcome was told into the void is answered within a default wait', async () => {
  const waiters = new Waiters();
  let nudges = 0;
  const notices = wakeOnNotices({
    ...{ databaseUrl: url, db: database.api, waiters, log: pino({ level: 'silent' }) },
    eventWaiters: { nudge: () => (nudges += 1) },
  });
  await until('it listens', async () => {
    await notify(randomUUID());
    return nudges > 0 || undefined;
  });
  // Ended, and nobody is told: what a notice that got lost leaves behind.
  const id = await endedIntent(database);
  const began = performance.now();
  const waiting = waiters.begin(id, LONGEST_WAIT_MS);
  proxy.loseAll();
  await waiting.ended;
  expect(performance.now() - began).toBeLessThan(DEFAULT_WAIT_MS);
  await notices.close();
});
