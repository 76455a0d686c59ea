/**
 * What one gateway process takes on: sizes, times and numbers. Whatever exceeds them is refused before
 * an identity is claimed, so a refusal leaves nothing behind.
 */

/** The limits of one process. */
export interface Limits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** For receiving a request, slow senders included; answering may take the caller's whole wait. */
  readonly receiveHeadersMs: number;
  readonly receiveRequestMs: number;
  /** For each token, averaged over ten seconds. */
  readonly requestsPerSecond: number;
  /** Callers who wait for an outcome at one time. */
  readonly mostWaiting: number;
  /** Mean delay of the event loop over five times as long. Beyond it every answer would be late. */
  readonly eventLoopDelayMs: number;
}

/** Those of a process that is told nothing else. */
export const LIMITS: Limits = {
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  receiveHeadersMs: 10_000,
  receiveRequestMs: 15_000,
  requestsPerSecond: 1_000,
  mostWaiting: 10_000,
  eventLoopDelayMs: 2_000,
};
