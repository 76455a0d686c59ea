/** The circuit where it counts: under the intents' row locks, shared by all workers. */
import { OPEN_AFTER } from '../../domain/circuit';
import { type Finding } from '../../domain/journal';
import { type SendStep } from '../../domain/step';
import { openAttempt } from '../../store/open-attempt';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { requestCancel } from '../../store/request-cancel';
import { recordStanding } from '../../store/record-standing';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, NOT_SENT } from '../support/journal-of';
import { until } from '../support/until';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const FIRST: SendStep = { kind: 'send', effect: 'apply', number: 1, generation: 1 };

async function anIntent(provider: string): Promise<string> {
  const { intent } = await recordIntent(database.api, newIntent({ provider }));
  return intent.id;
}

const open = (intentId: string) =>
  openAttempt(database.worker, { intentId, step: FIRST, owner: 'test' });

const answer = (intentId: string, finding: Finding, askedAt: number) =>
  recordFinding(database.worker, {
    ...{ intentId, effect: 'apply', attempt: 1, source: 'response' },
    ...{ finding, askedAt },
  });

/** Sends one intent and lets the provider answer. */
async function send(provider: string, finding: Finding): Promise<void> {
  const id = await anIntent(provider);
  const opened = await open(id);
  if (opened.kind !== 'opened') throw new Error('held too early');
  await answer(id, finding, opened.attempt.openedAt);
}

async function trip(provider: string): Promise<void> {
  for (let n = 0; n < OPEN_AFTER; n += 1) await send(provider, NOT_SENT);
}

async function circuitOf(provider: string) {
  const { rows } = await database.owner.query<{ failures: number; open: boolean; why: string }>(
    `select failures, open_until is not null as open, why from provider_circuits where provider = $1`,
    [provider],
  );
  return rows[0];
}

/** Until the time of an open circuit is over. */
function untilDue(provider: string): Promise<true> {
  return until('the circuit may be tried', async () => {
    const { rowCount } = await database.owner.query(
      'select from provider_circuits where provider = $1 and open_until <= clock_timestamp()',
      [provider],
    );
    return rowCount === 1 || undefined;
  });
}

it('while all is well there is no row', async () => {
  await send('well', APPLIED);
  expect(await circuitOf('well')).toBeUndefined();
});

it('an answer after a failure forgets it', async () => {
  await send('shaky', NOT_SENT);
  expect(await circuitOf('shaky')).toMatchObject({ failures: 1, open: false });
  await send('shaky', APPLIED);
  expect(await circuitOf('shaky')).toEqual({ failures: 0, open: false, why: null });
});

it('an open circuit opens no attempt: the intent stays accepted, with reason and time', async () => {
  const waiting = await anIntent('down');
  await trip('down');
  expect(await circuitOf('down')).toMatchObject({ open: true, why: 'no connection' });
  const held = await open(waiting);
  expect(held).toMatchObject({ kind: 'not_opened', journal: { attempts: [], status: 'accepted' } });
  const intent = await readIntent(database.owner, waiting, 'every-tenant');
  expect(intent).toMatchObject({
    status: 'accepted',
    attemptCount: 0,
    reason: expect.stringMatching(/^Held: the provider is down/) as string,
  });
  expect(intent?.nextStepAt?.getTime()).toBeGreaterThan(Date.now());
  // Other providers are none of its business.
  await send('beside', APPLIED);
});

it('what is held can be canceled', async () => {
  const waiting = await anIntent('down-for-good');
  await trip('down-for-good');
  await open(waiting);
  await requestCancel(database.api, { id: waiting, tenant: 'acme', by: 'test' });
  expect((await recordStanding(database.worker, waiting)).journal.status).toBe('canceled');
});

it('when its time is over one of twenty gets through, and its answer lets the others go', async () => {
  const waiting = await Promise.all(Array.from({ length: 20 }, () => anIntent('back')));
  await trip('back');
  await untilDue('back');
  const results = await Promise.all(waiting.map((id) => open(id)));
  const through = results.flatMap((one) => (one.kind === 'opened' ? [one] : []));
  const held = results.flatMap((one) => (one.kind === 'opened' ? [] : [one]));
  expect([through.length, held.length]).toEqual([1, 19]);
  expect(held.every(({ journal }) => (journal.hold?.until ?? 0) > journal.readAt)).toBe(true);
  const [probe] = through;
  if (probe === undefined) throw new Error('nobody got through');
  await answer(probe.intent.id, APPLIED, probe.attempt.openedAt);
  expect(await circuitOf('back')).toMatchObject({ failures: 0, open: false });
  const rest = waiting.filter((id) => id !== probe.intent.id);
  const after = await Promise.all(rest.map((id) => open(id)));
  expect(after.filter(({ kind }) => kind === 'opened')).toHaveLength(19);
});

it('a probe that fails keeps it open, for longer', async () => {
  const waiting = await anIntent('still-down');
  await trip('still-down');
  await untilDue('still-down');
  const probe = await open(waiting);
  if (probe.kind !== 'opened') throw new Error('nobody got through');
  await answer(waiting, NOT_SENT, probe.attempt.openedAt);
  const next = await open(await anIntent('still-down'));
  expect(next).toMatchObject({ kind: 'not_opened' });
  const { rows } = await database.owner.query<{ open_for_ms: number; trips: number }>(
    "select open_for_ms, trips from provider_circuits where provider = 'still-down'",
  );
  expect(rows).toEqual([{ open_for_ms: 2_000, trips: 2 }]);
});
