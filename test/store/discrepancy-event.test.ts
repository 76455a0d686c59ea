/** Whoever lives off the feed hears that an end is contradicted, once and in its place (INV-6, INV-7). */
import { closeDiscrepancy } from '../../store/close-discrepancy';
import { FEED_BEGIN, readEvents } from '../../store/read-events';
import { readIntent } from '../../store/read-intents';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { openAttempt } from '../../store/open-attempt';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { APPLIED, DECLINED } from '../support/journal-of';
import { until } from '../support/until';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

it('a charge that is found after it failed is one event of the feed, the last of its intent', async () => {
  const intentId = (await recordIntent(database.api, newIntent())).intent.id;
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  const opened = await openAttempt(database.worker, { intentId, step, owner: 'test' });
  if (opened.kind !== 'opened') throw new Error('no permit');
  const about = { intentId, effect: 'apply', askedAt: opened.attempt.openedAt } as const;
  await recordFinding(database.worker, {
    ...about,
    attempt: 1,
    source: 'response',
    finding: DECLINED,
  });
  const found = { ...about, attempt: null, source: 'look_up', finding: APPLIED } as const;
  await recordFinding(database.worker, found);
  await recordFinding(database.worker, found);

  const events = await until('the feed has them', async () => {
    const page = { tenant: 'acme', after: FEED_BEGIN, limit: 10 };
    const all = await readEvents(database.api, page);
    return all.length < 4 ? undefined : all;
  });
  expect(events.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
    '1 resolute.intent.accepted',
    '2 resolute.intent.executing',
    '3 resolute.intent.failed',
    '4 resolute.intent.discrepancy',
  ]);
  expect(events[3]?.data).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('ch_1') as string,
  });
  const row = await readIntent(database.api, intentId, 'every-tenant');
  expect(row?.status).toBe('failed');

  await closeDiscrepancy(database.api, {
    ...{ intentId, decisionId: 'closed-1', closing: 'evidence_stands', operator: 'olive' },
    ...{ since: row?.discrepancySince ?? new Date(0), evidence: 'line 7', reason: 'paid back' },
  });
  const closed = await until('the feed has its end', async () => {
    const all = await readEvents(database.api, { tenant: 'acme', after: FEED_BEGIN, limit: 10 });
    return all[4];
  });
  expect(closed).toMatchObject({
    ...{ sequence: 5, type: 'resolute.intent.discrepancy_closed' },
    data: { status: 'failed', reason: 'evidence_stands' },
  });
  // Who holds the evidence and why is for operators alone.
  expect(JSON.stringify(closed)).not.toMatch(/line 7|paid back|olive/);
});
