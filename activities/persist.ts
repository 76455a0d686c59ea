/**
 * Keeps trying to write evidence while the store is away: an answer that was heard must not be lost
 * because PostgreSQL restarts in that second. Recording is idempotent (one answer per attempt), so a
 * commit whose acknowledgement was lost is simply recorded again and found there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isStoreUnavailable } from '../store/pool';

/** Within the activity's start-to-close time-out; after it the look-up finds out again. */
const LIMIT_MS = 45_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Runs `write` until it succeeds, fails for another reason than a store that refuses for now, or time is
 * up; then `lost` is told before the error surfaces.
 */
export async function persist<Result>(
  write: () => Promise<Result>,
  lost: (error: unknown) => void,
): Promise<Result> {
  const giveUpAt = performance.now() + LIMIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() + pauseMs > giveUpAt) {
        lost(error);
        throw error;
      }
    }
    await pause(pauseMs);
  }
}
