import { Waiters } from '../../api/waiters';

const LONG_MS = 60_000;

/** Whether the wait has ended by now. */
async function hasEnded({ ended }: { ended: Promise<void> }): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([ended, Promise.resolve(pending)])) !== pending;
}

describe('a waiter', () => {
  test('is woken by a notice about its intent, and by no other', async () => {
    const waiters = new Waiters();
    const all = ['a', 'a', 'b'].map((id) => waiters.begin(id, LONG_MS));
    waiters.wake('a');
    waiters.wake('nobody waits for this');
    expect(await Promise.all(all.map(hasEnded))).toEqual([true, true, false]);
    expect(waiters.size).toBe(1);
    expect(waiters.keys).toEqual(['b']);
    waiters.close();
  });

  test('waits no longer than its time', async () => {
    const waiters = new Waiters();
    await waiters.begin('a', 5).ended;
    expect(waiters.size).toBe(0);
  });

  test('that leaves is forgotten, once', () => {
    const waiters = new Waiters();
    const [first, second] = [waiters.begin('a', LONG_MS), waiters.begin('a', LONG_MS)];
    first.end();
    first.end();
    expect(waiters.size).toBe(1);
    second.end();
    expect(waiters.size).toBe(0);
    expect(waiters.keys).toEqual([]);
  });

  test('without time does not wait', async () => {
    const waiters = new Waiters();
    expect(await hasEnded(waiters.begin('a', 0))).toBe(true);
    expect(waiters.size).toBe(0);
  });

  test('beyond the bound is answered at once', async () => {
    const waiters = new Waiters(1);
    const first = waiters.begin('a', LONG_MS);
    expect(await hasEnded(waiters.begin('b', LONG_MS))).toBe(true);
    first.end();
    const second = waiters.begin('b', LONG_MS);
    expect(await hasEnded(second)).toBe(false);
    second.end();
  });

  test('does not outlive the gateway', async () => {
    const waiters = new Waiters();
    const before = waiters.begin('a', LONG_MS);
    waiters.close();
    expect(await hasEnded(before)).toBe(true);
    expect(await hasEnded(waiters.begin('b', LONG_MS))).toBe(true);
    expect(waiters.size).toBe(0);
  });
});
