/** After a restore: what would be sent next counts as sent, so that nobody sends it a second time. */
import { type Finding } from '../../domain/journal';
import { simulatorContracts } from '../../providers/simulator/contracts';
import { assumeSent } from '../../store/assume-sent';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { type NewIntent, recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, DECLINED, LOST, NOT_SENT } from '../support/journal-of';
import { until } from '../support/until';

const CONTRACTS = simulatorContracts('{}');
const FIRST = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function recorded(
  provider: keyof typeof CONTRACTS,
  more: Partial<NewIntent> = {},
): Promise<string> {
  const contract = CONTRACTS[provider];
  return (await recordIntent(database.api, newIntent({ provider, contract, ...more }))).intent.id;
}

async function answered(id: string, finding: Finding) {
  const opened = await openAttempt(database.worker, { intentId: id, step: FIRST, owner: 'test' });
  if (opened.kind !== 'opened') throw new Error('no permit');
  const { effect, number: attempt, openedAt: askedAt } = opened.attempt;
  const found = { intentId: id, effect, attempt, source: 'response', finding, askedAt } as const;
  await recordFinding(database.worker, found);
}

const assume = async (id: string) => (await assumeSent(database.owner, id))[0]?.assumed;
const status = async (id: string) => (await readIntent(database.api, id, 'every-tenant'))?.status;

it.each(['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const)(
  'INV-3: at %s a run that wants to send the first attempt gets no permit any more',
  async (provider) => {
    const id = await recorded(provider);
    expect(await assume(id)).toBe(true);
    const permit = { intentId: id, step: FIRST, owner: 'test' };
    expect((await openAttempt(database.worker, permit)).kind).toBe('not_opened');
    expect(await assume(id)).toBe(false);
  },
);

it('where the first attempt is known to be without effect, the second is assumed once it is due', async () => {
  const id = await recorded('sim-lookup');
  await answered(id, NOT_SENT);
  await until('it is due', async () => (await assume(id)) || undefined);
  const { journal } = await recordStanding(database.worker, id);
  expect(journal.attempts).toMatchObject([
    { number: 1, verdict: 'not_sent' },
    { number: 2, verdict: null },
  ]);
});

it('a lost answer stays what it is, and what has ended is left alone', async () => {
  const lost = await recorded('sim-lookup');
  await answered(lost, LOST);
  expect(await assume(lost)).toBe(false);
  const ended = await recorded('sim-lookup');
  await answered(ended, APPLIED);
  expect(await assumeSent(database.owner, ended)).toEqual([]);
  expect(await status(ended)).toBe('succeeded');
});

it('where nobody can be asked it goes back to the last change of the row, and to a person', async () => {
  const id = await recorded('sim-blind');
  await database.owner.query(
    "update intents set updated_at = now() - interval '1 day' where id = $1",
    [id],
  );
  expect(await assume(id)).toBe(true);
  expect(await status(id)).toBe('in_review');
});

it('a key is not repeated past its window, counted from the last change of the row', async () => {
  const id = await recorded('sim-key');
  await database.owner.query(
    "update intents set updated_at = now() - interval '25 hours' where id = $1",
    [id],
  );
  expect(await assume(id)).toBe(true);
  expect(await status(id)).toBe('in_review');
});

it('past its deadline a charge that may have been sent is asked about, and not written failed', async () => {
  const id = await recorded('sim-lookup', { policy: { attemptCap: 3, deadlineMs: 1 } });
  await until('its deadline has passed', async () => {
    const { rows } = await database.owner.query<{ over: boolean }>(
      "select created_at + interval '1 millisecond' < now() as over from intents where id = $1",
      [id],
    );
    return rows[0]?.over === true || undefined;
  });
  expect(await assume(id)).toBe(true);
  expect(await status(id)).toBe('executing');
});

it('a circuit that was open in the backup holds nothing back from being assumed, and is closed', async () => {
  await database.owner.query(
    `insert into provider_circuits (provider, failures, opened_at, open_until, open_for_ms)
     values ('sim-blind', 10, now(), now() + interval '1 hour', 1000)`,
  );
  const id = await recorded('sim-blind');
  expect(await assume(id)).toBe(true);
  const another = await recorded('sim-blind');
  const all = await assumeSent(database.owner, null);
  expect(all.find((one) => one.intentId === another)?.assumed).toBe(true);
  const { rowCount } = await database.owner.query('select from provider_circuits');
  expect(rowCount).toBe(0);
});

it('a notification that waits ends nothing before the send is assumed', async () => {
  const id = await recorded('sim-lookup');
  await answered(id, NOT_SENT);
  await database.owner.query(
    'update intents set policy = policy || \'{"deadlineMs": 1}\' where id = $1',
    [id],
  );
  await database.owner.query(
    `insert into provider_notifications (provider, event_id, type, about, effect, said,
       body_digest)
     values ('sim-lookup', $1, 'charge.failed', $2, 'apply', $3, sha256('body'))`,
    [`evt-${id}`, id, { finding: DECLINED, amount: 1000, currency: 'EUR' }],
  );
  await until(
    'the pause after the first attempt is over',
    async () => (await assume(id)) || undefined,
  );
  expect(await status(id)).toBe('executing');
});

it("an operator's retry that time has made effective is assumed followed, its attempt closed", async () => {
  const id = await recorded('sim-blind');
  await answered(id, LOST);
  await database.owner.query(
    `update attempts set opened_at = opened_at - interval '1 hour',
       send_deadline = send_deadline - interval '1 hour' where intent = $1`,
    [id],
  );
  await database.owner.query(
    `insert into observations (intent, effect, source, finding, asked_at)
     values ($1, 'apply', 'operator', $2, now())`,
    [
      id,
      { kind: 'decided', decision: 'retry', override: false, attempts: 1, decisionId: `d-${id}` },
    ],
  );
  expect(await assume(id)).toBe(true);
  const { journal } = await recordStanding(database.worker, id);
  expect(journal.attempts).toMatchObject([{ verdict: 'absent' }, { number: 2, verdict: null }]);
});

it('after a cancel nothing is assumed where nothing was sent; an undoing in doubt stays what it is', async () => {
  const unsent = await recorded('sim-key');
  await cancelRequested(unsent);
  expect(await assume(unsent)).toBe(false);
  const undone = await recorded('sim-key');
  const opened = await openAttempt(database.worker, {
    intentId: undone,
    step: FIRST,
    owner: 'test',
  });
  if (opened.kind !== 'opened') throw new Error('no permit');
  await cancelRequested(undone);
  await recordFinding(database.worker, {
    intentId: undone,
    effect: 'apply',
    attempt: 1,
    source: 'response',
    finding: APPLIED,
    askedAt: opened.attempt.openedAt,
  });
  expect(await assume(undone)).toBe(true);
  await database.owner.query(
    `update attempts set opened_at = opened_at - interval '10 seconds',
       send_deadline = send_deadline - interval '10 seconds' where intent = $1 and effect = 'revert'`,
    [undone],
  );
  expect(await assume(undone)).toBe(false);
});

it('what the provider refused in the backup needs no assumption: the refusal closed it', async () => {
  const id = await recorded('sim-key');
  await answered(id, DECLINED);
  expect(await assumeSent(database.owner, id)).toEqual([]);
  expect(await status(id)).toBe('failed');
});

async function cancelRequested(id: string): Promise<void> {
  await database.owner.query('update intents set cancel_requested_at = now() where id = $1', [id]);
}
