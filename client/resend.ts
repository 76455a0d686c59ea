/**
 * When the same request is sent again, and after which pause. The same means: the same bytes under the
 * same key, so that the gateway recognises it; that is what makes this safe at all.
 */

/** How often and how patiently. */
export interface Resending {
  /** Sends of one request in all. */
  readonly tries: number;
  /** Most of the random part of the first pause; doubles from pause to pause. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Gives a restarting gateway about half a minute. */
export const RESENDING: Resending = { tries: 8, firstPauseMs: 250, longestPauseMs: 10_000 };

/** Longer ones are cut: a header must not put a caller to sleep for a day. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** Whether an answer is worth another try: faults and refusals for now, never what was decided. */
export function isForNow(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * The pause before try `next` (the second is 2): what the gateway asked for, and on top of it a random
 * part, so that callers who were refused together do not come back together.
 */
export function pauseMs(
  next: number,
  retryAfterMs: number,
  { firstPauseMs, longestPauseMs }: Resending,
): number {
  const most = Math.min(longestPauseMs, firstPauseMs * 2 ** (next - 2));
  return retryAfterMs + Math.random() * most;
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3); 0 where it is neither. */
export function readRetryAfter(value: string | null): number {
  const text = value?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), LONGEST_RETRY_AFTER_MS) : 0;
}
