/** After a restore: what would be sent next counts as sent, so that nobody sends it a second time. */
import { type Finding } from '../../domain/journal';
import { simulatorContracts } from '../../providers/simulator-contracts';
import { assumeSent } from '../../store/assume-sent';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { recordStanding } from '../../store/record-standing';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, LOST, NOT_SENT } from '../support/journal-of';
import { until } from '../support/until';

const CONTRACTS = simulatorContracts('{}');
const FIRST = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function recorded(provider: keyof typeof CONTRACTS): Promise<string> {
  const contract = CONTRACTS[provider];
  return (await recordIntent(database.api, newIntent({ provider, contract }))).intent.id;
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
