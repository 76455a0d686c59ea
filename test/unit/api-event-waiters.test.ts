/** Waiting readers: one question for all, and nobody is forgotten when it fails. */
import { EventWaiters } from '../../api/event-waiters';
import { type EventReader, FEED_BEGIN } from '../../store/read-events';

const reader = (tenant: string, position = '0'): EventReader => ({
  tenant,
  after: { ...FEED_BEGIN, position },
});

/** Waiters over a store that answers what `ready` says; `asked` has every question. */
function waitersOver(ready: (asked: readonly EventReader[]) => readonly number[]) {
  const asked: (readonly EventReader[])[] = [];
  const errors: unknown[] = [];
  const waiters = new EventWaiters({
    whoCanReadOn: (readers) => {
      asked.push(readers);
      return Promise.resolve().then(() => ready(readers));
    },
    onError: (error) => errors.push(error),
  });
  return { waiters, asked, errors };
}

const all = (readers: readonly EventReader[]) => readers.map((_, index) => index);

test('a thousand readers at two places are two in one question', async () => {
  const { waiters, asked } = waitersOver(all);
  const waits = Array.from({ length: 1_000 }, (_, n) =>
    waiters.begin(reader('acme', String(n % 2)), 60_000),
  );
  await Promise.all(waits.map(({ ended }) => ended));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toHaveLength(2);
  expect(waiters.size).toBe(0);
});

test('only those are woken who can read on', async () => {
  const { waiters } = waitersOver((readers) =>
    readers.flatMap(({ tenant }, index) => (tenant === 'acme' ? [index] : [])),
  );
  const other = waiters.begin(reader('globex'), 60_000);
  await waiters.begin(reader('acme'), 60_000).ended;
  expect(waiters.size).toBe(1);
  other.end();
});

test('a question that fails is asked again', async () => {
  let failures = 2;
  const { waiters, errors } = waitersOver((readers) => {
    failures -= 1;
    if (failures >= 0) throw new Error('no store');
    return all(readers);
  });
  await waiters.begin(reader('acme'), 60_000).ended;
  expect(errors).toHaveLength(2);
});

test('a notice makes it look at once', async () => {
  const { waiters } = waitersOver(all);
  const { ended } = waiters.begin(reader('acme'), 60_000);
  const started = performance.now();
  waiters.nudge();
  await ended;
  expect(performance.now() - started).toBeLessThan(200);
});

test('a stream of notices does not put the look off', async () => {
  const { waiters } = waitersOver(all);
  const { ended } = waiters.begin(reader('acme'), 5_000);
  const started = performance.now();
  const stream = setInterval(() => waiters.nudge(), 5);
  await ended;
  clearInterval(stream);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('nobody waits: nothing is asked, whatever is noticed', async () => {
  const { waiters, asked } = waitersOver(all);
  waiters.nudge();
  const { ended, end } = waiters.begin(reader('acme'), 60_000);
  end();
  await ended;
  waiters.nudge();
  const second = waiters.begin(reader('acme'), 60_000);
  await second.ended;
  expect(asked).toHaveLength(1);
});

test('who would be one too many, or comes while closing, is answered at once', async () => {
  const { waiters } = waitersOver(() => []);
  for (let n = 0; n < 1_000; n += 1) waiters.begin(reader('acme'), 60_000);
  await waiters.begin(reader('acme'), 60_000).ended;
  expect(waiters.size).toBe(1_000);
  waiters.close();
  expect(waiters.size).toBe(0);
  await waiters.begin(reader('acme'), 60_000).ended;
});
