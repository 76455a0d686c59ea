/** The queue before a process's connections: patient with a busy store, not with a silent one. */
import { Turns } from '../../store/turns';

const outcome = (turn: Promise<void>): Promise<string> =>
  turn.then(
    () => 'begun',
    (error: unknown) => String(error),
  );
const NO_TURN = 'Error: timeout exceeded when trying to connect';

/** The clock stands still, and ticks when it is told to: how busy the machine is changes nothing. */
const stopClock = (): void => void jest.useFakeTimers({ doNotFake: ['nextTick', 'performance'] });
afterEach(() => jest.useRealTimers());

test('as many as there are connections begin at once, the others in their order', async () => {
  const turns = new Turns(2, { stalledMs: 1_000, longestMs: 1_000, mostWaiting: 100 });
  const order: number[] = [];
  const all = [1, 2, 3, 4].map((number) => turns.begin().then(() => order.push(number)));
  await Promise.all(all.slice(0, 2));
  expect(order).toEqual([1, 2]);
  turns.end(true);
  turns.end(true);
  await Promise.all(all);
  expect(order).toEqual([1, 2, 3, 4]);
  [1, 2].forEach(() => turns.end(true));
  expect(await outcome(turns.begin())).toBe('begun');
});

test('while the store gets on a wait outlasts the time for silence', async () => {
  stopClock();
  const turns = new Turns(1, { stalledMs: 200, longestMs: 10_000, mostWaiting: 100 });
  await turns.begin();
  const waiting = Array.from({ length: 6 }, () => outcome(turns.begin()));
  // Four times the time for silence, and never more than three quarters of it at once.
  for (const one of waiting) {
    await jest.advanceTimersByTimeAsync(150);
    turns.end(true);
    expect(await one).toBe('begun');
  }
  expect(jest.getTimerCount()).toBe(1);
  // Nobody waits any more: the next tick is the last.
  await jest.advanceTimersByTimeAsync(50);
  expect(jest.getTimerCount()).toBe(0);
});

test('when nothing ends any more all are refused together, failures included', async () => {
  const turns = new Turns(2, { stalledMs: 200, longestMs: 10_000, mostWaiting: 100 });
  await Promise.all([turns.begin(), turns.begin()]);
  const waiting = Array.from({ length: 50 }, () => outcome(turns.begin()));
  turns.end(false);
  expect(await waiting[0]).toBe('begun');
  expect(await Promise.all(waiting.slice(1))).toEqual(Array(49).fill(NO_TURN));
  // Whoever comes later begins anew.
  const later = outcome(turns.begin());
  turns.end(true);
  expect(await later).toBe('begun');
});

test('a turn that fails in the midst of silence ends it for all who wait, one before for itself', async () => {
  stopClock();
  const turns = new Turns(1, { stalledMs: 10_000, longestMs: 10_000, mostWaiting: 100 });
  await turns.begin();
  const waiting = Array.from({ length: 5 }, () => outcome(turns.begin()));
  await jest.advanceTimersByTimeAsync(250);
  turns.end(false);
  expect(await waiting[0]).toBe('begun');
  await jest.advanceTimersByTimeAsync(50);
  turns.end(false);
  expect(await Promise.all(waiting.slice(1))).toEqual(Array(4).fill(NO_TURN));
});

test('a busy event loop is not taken for a silent store', async () => {
  const turns = new Turns(1, { stalledMs: 200, longestMs: 10_000, mostWaiting: 100 });
  await turns.begin();
  const waiting = outcome(turns.begin());
  setImmediate(() => {
    const end = performance.now() + 400;
    while (performance.now() < end);
    // The answer that came meanwhile.
    setImmediate(() => turns.end(true));
  });
  expect(await waiting).toBe('begun');
});

test('no wait is longer than the longest', async () => {
  const turns = new Turns(1, { stalledMs: 60_000, longestMs: 150, mostWaiting: 100 });
  await turns.begin();
  expect(await outcome(turns.begin())).toBe(NO_TURN);
});

test('more than may wait are refused as they come, and nobody else is', async () => {
  const turns = new Turns(1, { stalledMs: 60_000, longestMs: 60_000, mostWaiting: 2 });
  await turns.begin();
  const waiting = [1, 2].map(() => outcome(turns.begin()));
  expect(await outcome(turns.begin())).toBe(NO_TURN);
  [1, 2].forEach(() => turns.end(true));
  expect(await Promise.all(waiting)).toEqual(['begun', 'begun']);
  turns.end(true);
});
