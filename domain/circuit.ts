/**
 * A provider's circuit: whether sends to it are held because it is down, for everybody. Opened by a
 * run of failures of different intents, closed by one answer. While it is open nothing is sent; when
 * its time is over one attempt is let through to try (the probe), and what was held follows spread out.
 * Own code and no library: breakers known to us keep their state in one process and refuse the call,
 * while this state is shared by all workers, seen by operators, and read where the permit is given.
 * All times are milliseconds on the database's clock.
 */
import { type Finding, type Hold } from './journal';

/** The state, one for each provider. */
export interface Circuit {
  /** Failures in a row; one intent that fails again is not counted again. */
  readonly failures: number;
  /** The intent of the last one. */
  readonly lastFailed: string | null;
  readonly failedAt: number | null;
  /** How often in a row it was opened. */
  readonly trips: number;
  /** Null while closed. */
  readonly openedAt: number | null;
  readonly openUntil: number | null;
  /** For how long it was opened last. */
  readonly openForMs: number;
  /** Until when the probe may take; null where none is under way. */
  readonly probeUntil: number | null;
}

export const CLOSED: Circuit = {
  failures: 0,
  lastFailed: null,
  failedAt: null,
  trips: 0,
  openedAt: null,
  openUntil: null,
  openForMs: 0,
  probeUntil: null,
};

/** Failures in a row that open it: more than one unlucky intent, fewer than a crowd. */
export const OPEN_AFTER = 10;
/** Failures further apart than this are no run. */
const RUN_MS = 10_000;
/** First opening, doubled each time that the probe fails. */
const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;
const SHORTEST_SPREAD_MS = 5_000;
const LONGEST_SPREAD_MS = 60_000;

/** An answer to one attempt, as far as it tells of the provider. */
export interface Answer {
  readonly intentId: string;
  readonly finding: Finding;
  /** When the attempt was opened. */
  readonly openedAt: number;
}

/** True where the provider did nothing, or nobody knows what it did. */
export function isFailure({ kind }: Finding): boolean {
  return kind === 'not_sent' || kind === 'unknown';
}

/** The circuit after an answer. */
export function afterAnswer(circuit: Circuit, answer: Answer, now: number): Circuit {
  if (isFailure(answer.finding)) return afterFailure(circuit, answer, now);
  // An answer to what was sent before it opened says nothing about the time since.
  const isNews = circuit.openedAt === null || answer.openedAt > circuit.openedAt;
  return isNews ? CLOSED : circuit;
}

function afterFailure(circuit: Circuit, { intentId, finding }: Answer, now: number): Circuit {
  const counted = {
    ...circuit,
    failures: runOf(circuit, intentId, now),
    lastFailed: intentId,
    failedAt: now,
  };
  const retryAfterMs = finding.kind === 'not_sent' ? (finding.retryAfterMs ?? 0) : 0;
  if (circuit.openUntil !== null && now < circuit.openUntil) {
    // Sent before it opened: no new failure, but the provider may have named a later time.
    return opened(counted, Math.max(circuit.openUntil, now + retryAfterMs), now);
  }
  if (circuit.openUntil === null && counted.failures < OPEN_AFTER) return counted;
  const backoff = Math.min(FIRST_MS * 2 ** circuit.trips, LONGEST_MS);
  const next = { ...counted, trips: circuit.trips + 1 };
  return opened(next, now + Math.max(backoff, retryAfterMs), now);
}

function runOf({ failures, lastFailed, failedAt }: Circuit, intent: string, now: number): number {
  if (failedAt === null || now - failedAt > RUN_MS) return 1;
  return lastFailed === intent ? failures : failures + 1;
}

function opened(circuit: Circuit, until: number, now: number): Circuit {
  return {
    ...circuit,
    openedAt: circuit.openedAt ?? now,
    openUntil: until,
    openForMs: Math.max(circuit.openForMs, until - now),
    probeUntil: null,
  };
}

/** What the circuit means for an intent that has sent nothing yet; undefined: it may be sent. */
export function holdOf(circuit: Circuit, now: number): Hold | undefined {
  const { openedAt, openUntil, probeUntil, openForMs } = circuit;
  if (openedAt === null || openUntil === null) return undefined;
  const until = Math.max(openUntil, probeUntil ?? 0);
  if (now >= until) return undefined;
  const spreadMs = Math.min(Math.max(openForMs, SHORTEST_SPREAD_MS), LONGEST_SPREAD_MS);
  return { since: openedAt, until, spreadMs };
}
