/**
 * How many requests a token may make of this process. Asked before the token is looked up, so that a
 * caller over its limit costs the store nothing.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem';

/** Long enough for a burst of ten seconds' requests at once, short enough for a small Retry-After. */
const WINDOW_SECONDS = 10;

/** Lets a request of the holder of a token pass, or throws 429 with Retry-After. */
export type RateLimit = (tokenDigest: Buffer) => Promise<void>;

/** The limit of one process, in memory. */
export function createRateLimit(requestsPerSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({
    points: requestsPerSecond * WINDOW_SECONDS,
    duration: WINDOW_SECONDS,
  });
  return async (tokenDigest) => {
    try {
      await limiter.consume(tokenDigest.toString('base64'));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw new Problem('rate-limited', {
        detail: 'Nothing was done. Try again with the same Idempotency-Key after Retry-After.',
        headers: { 'retry-after': String(seconds) },
      });
    }
  };
}
