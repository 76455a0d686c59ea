/** What cannot be sent is seen by somebody, however often it is tried. */
import { openAttempt } from '../../store/open-attempt';
import { readQueue } from '../../store/read-queue';
import { recordFinding } from '../../store/record-finding';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import { FULL, NOT_SENT } from '../support/journal-of';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function refused(patienceMs: number): Promise<string> {
  const wanted = newIntent({ contract: { ...FULL, patienceMs } });
  const intentId = (await recordIntent(database.api, wanted)).intent.id;
  const step = { kind: 'send', effect: 'apply', number: 1, generation: 1 } as const;
  const opened = await openAttempt(database.worker, { intentId, step, owner: 'test' });
  if (opened.kind !== 'opened') throw new Error('no permit');
  await recordFinding(database.worker, {
    ...{ intentId, effect: 'apply', attempt: 1, source: 'response', finding: NOT_SENT },
    askedAt: opened.attempt.openedAt,
  });
  return intentId;
}

it('an intent that is turned away is of concern once patience is over, though its next step is ahead', async () => {
  const [late] = [await refused(1), await refused(3_600_000)];
  const queue = await readQueue(database.api, { concern: null, limit: 10 });
  expect(queue.map(({ id, concern }) => [id, concern])).toEqual([[late, 'unsent']]);
  expect(queue[0]?.since).toEqual(queue[0]?.createdAt);
  expect(queue[0]?.reason).toMatch(/Not sent yet/);
});
