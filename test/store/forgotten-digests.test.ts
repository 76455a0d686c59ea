/**
 * What a tombstone still says of its parameters to whoever has the whole database, knows how everything
 * is digested, and guesses the one thing that he does not know: nothing.
 */
import { createHash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import { createFingerprints } from '../../api/fingerprint';
import { messageSend } from '../../operations/message-send';
import { erase } from '../../store/erase';
import { readMigrations } from '../../store/migrations';
import { openAttempt } from '../../store/open-attempt';
import { purgeExpired } from '../../store/purge';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED } from '../support/journal-of';

const FINGERPRINTS = createFingerprints(randomBytes(32));
/** In the order in which the store hands members out, shortest first, as the request is digested. */
const PARAMS = {
  to: '+4917012345678',
  text: 'Your code',
  provider: 'sim-mail',
  reference: 'code-1',
};

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** A message that was sent, and ended long ago. */
async function sent(version?: number): Promise<string> {
  const fingerprint = FINGERPRINTS.of(messageSend, PARAMS, version);
  const { intent } = await recordIntent(
    database.api,
    newIntent({
      ...{ operation: messageSend.name, params: PARAMS, amount: null, currency: null },
      ...{ fingerprint, fingerprintVersion: version ?? FINGERPRINTS.present },
    }),
  );
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  const opened = await openAttempt(database.worker, { intentId: intent.id, step, owner: 'test' });
  if (opened.kind !== 'opened') throw new Error('no permit');
  await recordFinding(database.worker, {
    ...{ intentId: intent.id, effect: 'apply', attempt: 1, source: 'response', finding: APPLIED },
    askedAt: opened.attempt.openedAt,
  });
  await database.owner.query(
    "update intents set finalised_at = now() - interval '500 days' where id = $1",
    [intent.id],
  );
  return intent.id;
}

/** The places that hold a digest of the right guess, of all that the database has of the intent. */
async function confirmedBy(id: string): Promise<readonly string[]> {
  const guesses = [JSON.stringify(PARAMS), canonicalize(PARAMS) ?? ''].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  );
  const { rows } = await database.owner.query<{ place: string; row: string }>(
    `select 'intents' as place, to_jsonb(i)::text as row from intents i where id = $1
     union all select 'attempts', to_jsonb(a)::text from attempts a where intent = $1
     union all select 'observations', to_jsonb(o)::text from observations o where intent = $1
     union all select 'intent_events', to_jsonb(e)::text from intent_events e where intent = $1`,
    [id],
  );
  expect(new Set(rows.map(({ place }) => place)).size).toBe(4);
  return rows
    .filter(({ row }) => [PARAMS.to, ...guesses].some((text) => row.includes(text)))
    .map(({ place }) => place);
}

const purge = () =>
  purgeExpired(database.worker, { operation: messageSend.name, days: 400, most: 100 });

it('before it is one, parameters and the digest of the request are there', async () => {
  expect(await confirmedBy(await sent())).toEqual(['intents', 'attempts']);
});

it('a purge leaves nothing that confirms a guess, where the fingerprint is keyed', async () => {
  const id = await sent();
  expect(await purge()).toBeGreaterThan(0);
  expect(await confirmedBy(id)).toEqual([]);
});

it('of a row of version 1 the fingerprint stays, and confirms', async () => {
  const id = await sent(1);
  await purge();
  expect(await confirmedBy(id)).toEqual(['intents']);
});

it('an erasure leaves as little, and takes the digests of this intent alone', async () => {
  const [id, other] = [await sent(), await sent()];
  expect(await erase(database.owner, { tenant: 'acme', intent: id })).toMatchObject({ erased: 1 });
  expect(await confirmedBy(id)).toEqual([]);
  expect(await confirmedBy(other)).toEqual(['intents', 'attempts']);
});

it('nobody fills a digest again or tells it otherwise, and the worker not even takes it', async () => {
  const [forgotten, kept] = [await sent(), await sent()];
  await erase(database.owner, { tenant: 'acme', intent: forgotten });
  const fill = "update attempts set request_digest = sha256('x') where intent = $1";
  for (const id of [forgotten, kept]) {
    await expect(database.owner.query(fill, [id])).rejects.toThrow(/is_only_forgotten/);
    await expect(
      database.worker.query('update attempts set request_digest = null where intent = $1', [id]),
    ).rejects.toThrow(/permission denied/);
  }
});

it('the migration forgets those of the tombstones that it finds, and of nothing else', async () => {
  const [tombstone, live] = [await sent(), await sent()];
  await database.owner.query(
    `drop trigger forget_digests on intents; drop function forget_digests;
     drop trigger guard_request_digest on attempts; drop function guard_request_digest`,
  );
  await erase(database.owner, { tenant: 'acme', intent: tombstone });
  expect(await confirmedBy(tombstone)).toEqual(['attempts']);
  const migration = readMigrations().find(({ name }) => name === '0020_forgotten_digests.sql');
  await database.owner.query(migration?.sql ?? '');
  expect(await confirmedBy(tombstone)).toEqual([]);
  expect(await confirmedBy(live)).toEqual(['intents', 'attempts']);
});
