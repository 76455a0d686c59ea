/**
 * The inbox against PostgreSQL: what is stored, when it becomes evidence, and what that does. The
 * provider here notifies and cannot be asked, so that a notification is evidence (rule 2).
 */
import { randomUUID } from 'node:crypto';
import { type ProviderContract } from '../../domain/contract';
import { providerKey } from '../../domain/identity';
import { type Effect } from '../../domain/journal';
import { type Told } from '../../domain/told-effect';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { takeInNotification } from '../../store/take-in-notification';
import { alarmUnmatched, takeUnheard } from '../../store/unmatched-notifications';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, BLIND, DECLINED, FULL, LOST } from '../support/journal-of';
import { until } from '../support/until';

const NOTES_ONLY: ProviderContract = { ...BLIND, notifications: true };
const PROVIDER = 'acme-notes';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
// Ten lost answers in a row would hold what the provider is sent next.
beforeEach(() => database.owner.query('delete from provider_circuits'));

async function recorded(more: Parameters<typeof newIntent>[0] = {}): Promise<string> {
  const wanted = newIntent({ provider: PROVIDER, contract: NOTES_ONLY, ...more });
  return (await recordIntent(database.api, wanted)).intent.id;
}

function open(intentId: string, number = 1) {
  const step = { kind: 'send', effect: 'apply', number, generation: 1 } as const;
  return openAttempt(database.worker, { intentId, step, owner: 'test' });
}

/** Sent, and the answer was lost. */
async function lost(more: Parameters<typeof newIntent>[0] = {}): Promise<string> {
  const id = await recorded(more);
  const opened = await open(id);
  if (opened.kind !== 'opened') throw new Error('no permit');
  await recordFinding(database.worker, {
    ...{ intentId: id, effect: 'apply', attempt: 1, source: 'response', finding: LOST },
    askedAt: opened.attempt.openedAt,
  });
  return id;
}

interface Telling extends Partial<Told> {
  readonly id?: string;
  readonly provider?: string;
  readonly effect?: Effect;
  readonly providerKey?: string;
}

function tell(about: string | null, telling: Telling = {}) {
  const { id = randomUUID(), provider = PROVIDER, effect = 'apply', ...told } = telling;
  return takeInNotification(database.api, {
    provider,
    eventId: id,
    type: 'charge.told',
    bodyDigest: Buffer.alloc(32),
    about: about === null ? null : { intentId: about, effect },
    told: {
      finding: { kind: 'applied', providerId: 'ch_1' },
      amount: 1000,
      currency: 'EUR',
      providerKey: null,
      ...told,
    },
  });
}

async function row(id: string) {
  const intent = await readIntent(database.owner, id, 'every-tenant');
  if (intent === null) throw new Error('gone');
  return intent;
}

/** By the database's clock the next step, here the repeat of rule 4, may be taken. */
const isDue = (id: string) =>
  until('the next step is due', async () => {
    const { rowCount } = await database.owner.query(
      'select from intents where id = $1 and next_step_at <= clock_timestamp()',
      [id],
    );
    return rowCount === 1 || undefined;
  });

const look = async (id: string) => (await recordStanding(database.worker, id)).journal;
const notes = async (id: string) =>
  (await look(id)).observations.filter(({ source }) => source === 'notification');
const eventsOf = async (id: string) =>
  (
    await database.owner.query<{ type: string }>(
      'select type from intent_events where intent = $1 order by sequence',
      [id],
    )
  ).rows.map(({ type }) => type.split('.').at(-1));

it('INV-7: evidence, outcome and outbox event commit together, and the inbox says so', async () => {
  const id = await lost();
  expect((await row(id)).status).toBe('unknown');
  expect(await tell(id)).toEqual({ intent: id, tenant: 'acme', isWaiting: true });
  expect((await row(id)).status).toBe('unknown');
  await look(id);
  expect(await row(id)).toMatchObject({ status: 'succeeded', providerId: 'ch_1' });
  expect(await eventsOf(id)).toEqual(['accepted', 'executing', 'unknown', 'succeeded']);
  const { rows } = await database.owner.query(
    'select intent, matched_at is not null as matched from provider_notifications where about = $1',
    [id],
  );
  expect(rows).toEqual([{ intent: id, matched: true }]);
});

it('B75: one event told five times at once, and again later, is one row, one observation, one end', async () => {
  const id = await lost();
  const event = randomUUID();
  await Promise.all(Array.from({ length: 5 }, () => tell(id, { id: event })));
  await Promise.all(Array.from({ length: 5 }, () => look(id)));
  expect(await tell(id, { id: event })).toMatchObject({ isWaiting: false });
  expect(await notes(id)).toHaveLength(1);
  expect(await eventsOf(id)).toEqual(['accepted', 'executing', 'unknown', 'succeeded']);
});

it('one event id of two providers is two events', async () => {
  const [ours, theirs] = [await lost(), await lost({ provider: 'other-notes' })];
  await tell(ours, { id: 'evt_same' });
  await tell(theirs, { id: 'evt_same', provider: 'other-notes' });
  expect((await notes(ours)).length).toBe(1);
  expect((await notes(theirs)).length).toBe(1);
});

it('B76: early, before the answer of the send: the answer that follows changes nothing', async () => {
  const id = await recorded();
  const opened = await open(id);
  if (opened.kind !== 'opened') throw new Error('no permit');
  await tell(id);
  await look(id);
  expect((await row(id)).status).toBe('succeeded');
  await recordFinding(database.worker, {
    ...{ intentId: id, effect: 'apply', attempt: 1, source: 'response', finding: APPLIED },
    askedAt: opened.attempt.openedAt,
  });
  expect(await row(id)).toMatchObject({ status: 'succeeded', discrepancySince: null });
  expect(await eventsOf(id)).toEqual(['accepted', 'executing', 'succeeded']);
});

it('whoever takes the lock first hears it: an answer and a notification are one move', async () => {
  const id = await recorded();
  const opened = await open(id);
  if (opened.kind !== 'opened') throw new Error('no permit');
  await tell(id, { finding: { kind: 'pending', providerId: 'ch_1' } });
  await recordFinding(database.worker, {
    ...{ intentId: id, effect: 'apply', attempt: 1, source: 'response', finding: LOST },
    askedAt: opened.attempt.openedAt,
  });
  expect((await row(id)).status).toBe('pending');
});

it('no permit is given beside a notification that waits', async () => {
  const contract = { ...NOTES_ONLY, key: FULL.key };
  const id = await lost({ contract });
  await tell(id);
  await isDue(id);
  expect((await open(id, 2)).kind).toBe('not_opened');
  expect((await row(id)).status).toBe('succeeded');
});

it('B74: re-ordered, a pending that comes after the success changes nothing', async () => {
  const id = await lost();
  await tell(id);
  await look(id);
  await tell(id, { finding: { kind: 'pending', providerId: 'ch_1' } });
  expect(await notes(id)).toHaveLength(2);
  expect(await row(id)).toMatchObject({ status: 'succeeded', discrepancySince: null });
});

it('INV-6: a late failure of another attempt’s success opens a discrepancy, and no more', async () => {
  const id = await lost();
  await tell(id, { finding: DECLINED as Told['finding'] });
  await look(id);
  expect(await row(id)).toMatchObject({ status: 'failed', rejection: { declined: true } });
  await tell(id);
  await look(id);
  const after = await row(id);
  expect(after.status).toBe('failed');
  expect(after.discrepancyReason).toMatch(/every attempt is proven without/);
});

it.each([
  ['amount', { amount: 999 }, /amount is 999, expected 1000/],
  ['currency', { currency: 'USD' }, /currency is USD, expected EUR/],
])('another %s goes to a person where nobody can be asked', async (_what, other, reason) => {
  const id = await lost();
  await tell(id, other);
  await look(id);
  const after = await row(id);
  expect(after.status).toBe('in_review');
  expect(after.reason).toMatch(reason);
});

it.each([
  ['a success', {}],
  ['a failure', { finding: DECLINED as Told['finding'] }],
  ['another amount', { amount: 999 }],
])(
  'story 2: where a look-up exists %s is a hint: kept, and nothing is concluded',
  async (...row_) => {
    const id = await lost({ contract: FULL });
    await tell(id, row_[1]);
    expect(await notes(id)).toHaveLength(1);
    expect((await row(id)).status).toBe('unknown');
  },
);

it('story 19: a failure closes one attempt of two only if the event tells which', async () => {
  const contract = { ...NOTES_ONLY, key: FULL.key };
  const id = await lost({ contract });
  await isDue(id);
  expect((await open(id, 2)).kind).toBe('opened');
  await tell(id, { finding: DECLINED as Told['finding'] });
  expect((await notes(id)).map(({ attempt }) => attempt)).toEqual([null]);
  expect((await row(id)).status).toBe('executing');
});

it('an event that names its request’s key names the attempt, if one attempt had that key', async () => {
  const contract = { ...NOTES_ONLY, key: FULL.key };
  const id = await lost({ contract });
  const key = providerKey(id, 'apply', 1);
  await tell(id, { providerKey: key });
  expect((await notes(id)).map(({ attempt }) => attempt)).toEqual([1]);
  const twice = await lost({ contract });
  await isDue(twice);
  await open(twice, 2);
  await tell(twice, { providerKey: providerKey(twice, 'apply', 1) });
  expect((await notes(twice)).map(({ attempt }) => attempt)).toEqual([null]);
});

it('another provider’s word about our intent is nobody’s: it is never matched', async () => {
  const id = await lost();
  expect(await tell(id, { provider: 'other-notes' })).toBeNull();
  expect(await notes(id)).toEqual([]);
  expect((await row(id)).status).toBe('unknown');
});

it('what names an effect that was not sent is not believed, and is heard once it was', async () => {
  const id = await recorded();
  await tell(id);
  await tell(id, { effect: 'revert' });
  expect(await notes(id)).toEqual([]);
  expect((await row(id)).status).toBe('accepted');
  await open(id);
  expect(await notes(id)).toHaveLength(1);
  expect((await row(id)).status).toBe('succeeded');
});

it('B77: a type that tells nothing is kept, touches nothing and is never alarmed', async () => {
  const id = await lost();
  const event = { provider: PROVIDER, eventId: randomUUID(), type: 'something.unknown' };
  const stored = { ...event, bodyDigest: Buffer.alloc(32), about: null, told: null };
  expect(await takeInNotification(database.api, stored)).toBeNull();
  await look(id);
  expect((await row(id)).status).toBe('unknown');
  const { rowCount } = await database.owner.query(
    'select from provider_notifications where event_id = $1',
    [event.eventId],
  );
  expect(rowCount).toBe(1);
});

describe('the auditor', () => {
  const taken = async () =>
    (await takeUnheard(database.worker, 100)).map(
      ({ intentId, status }) => `${intentId} ${status}`,
    );

  it('finds what was stored and not heard, ended intents included, each time for one auditor', async () => {
    const [unknown, ended] = [await lost(), await lost()];
    await tell(ended);
    await look(ended);
    await tell(ended);
    await tell(unknown);
    const both = (await Promise.all([taken(), taken()])).flat();
    const wanted = [`${unknown} unknown`, `${ended} succeeded`];
    expect(both.filter((one) => wanted.includes(one)).sort()).toEqual(wanted.sort());
    expect((await taken()).filter((one) => wanted.includes(one))).toEqual([]);
  });

  it('takes none twice that was heard, none of another provider’s, none before the send', async () => {
    const [heard, foreign, unsent] = [await lost(), await lost(), await recorded()];
    await tell(heard);
    await look(heard);
    await tell(foreign, { provider: 'other-notes' });
    await tell(unsent);
    const found = (await taken()).join();
    for (const id of [heard, foreign, unsent]) expect(found).not.toContain(id);
  });

  it('B73: one about nothing is kept, counted, alarmed once when it is a minute old, and matched when its intent appears', async () => {
    const id = randomUUID();
    await alarmUnmatched(database.worker);
    const { count } = await alarmUnmatched(database.worker);
    expect(await tell(id)).toBeNull();
    expect(await alarmUnmatched(database.worker)).toMatchObject({ count: count + 1, alarmed: 0 });
    await database.owner.query(
      "update provider_notifications set received_at = now() - interval '61 seconds' where about = $1",
      [id],
    );
    expect(await alarmUnmatched(database.worker)).toMatchObject({ count: count + 1, alarmed: 1 });
    expect(await alarmUnmatched(database.worker)).toMatchObject({ count: count + 1, alarmed: 0 });
    const born = await recorded();
    await database.owner.query(
      `insert into intents select (jsonb_populate_record(intents, jsonb_build_object('id', $2::text,
         'key_digest', '\\x' || encode(sha256($2::bytea), 'hex'), 'business_key', $2::text,
         'workflow_id', $2::text))).* from intents where id = $1`,
      [born, id],
    );
    expect((await open(id)).kind).toBe('opened');
    expect(await taken()).toContain(`${id} executing`);
    await look(id);
    expect((await row(id)).status).toBe('succeeded');
    expect(await alarmUnmatched(database.worker)).toMatchObject({ count });
  });
});

describe('least privilege', () => {
  it.each([
    ['read the inbox', 'select from provider_notifications'],
    ['write it past the function', "insert into provider_notifications (provider) values ('x')"],
    ['rewrite it', "update provider_notifications set said = '{}' where true"],
    ['empty it', 'delete from provider_notifications'],
  ])('the api role cannot %s', async (_title, statement) => {
    await expect(database.api.query(statement)).rejects.toThrow(/permission denied/);
  });

  it.each([
    ['rewrite what was told', "update provider_notifications set said = '{}' where true"],
    [
      'put words into a provider’s mouth',
      "insert into provider_notifications (provider) values ('x')",
    ],
    [
      'take a notification in',
      "select take_in_notification('p', 'e', 't', null, null, null, sha256('x'))",
    ],
  ])('the worker role cannot %s', async (_title, statement) => {
    await expect(database.worker.query(statement)).rejects.toThrow(/permission denied/);
  });

  it('not even the owner can delete one, or match it to another intent than it names', async () => {
    const [named, other] = [await lost(), await lost()];
    await tell(named);
    await expect(
      database.owner.query('delete from provider_notifications where about = $1', [named]),
    ).rejects.toThrow(/append-only/);
    await expect(
      database.owner.query(
        'update provider_notifications set intent = $2, matched_at = now() where about = $1',
        [named, other],
      ),
    ).rejects.toThrow(/matched_as_named/);
  });

  it('INV-11: taking one in shows whose intent it names, and nothing of it', async () => {
    const id = await lost({ tenant: 'globex' });
    const { fields } = await database.api.query(
      "select * from take_in_notification($1, 'evt_show', 't', $2, 'apply', '{}', sha256('x'))",
      [PROVIDER, id],
    );
    expect(fields.map(({ name }) => name)).toEqual(['intent', 'tenant', 'is_waiting']);
    expect((await database.api.query('select from intents')).rowCount).toBe(0);
  });
});
