/**
 * What a process refuses when it has more work than it can answer in time. The refusal is the first
 * thing that happens to a request: no identity is claimed, and a repeat goes to a process that can.
 */
import underPressure from '@fastify/under-pressure';
import { type FastifyInstance } from 'fastify';
import { type Gateway } from './gateway';
import { type Limits } from './limits';
import { Problem } from './problem';

/**
 * How many times the delay that is still borne a sample lasts. In a shorter one a single turn of the
 * loop would decide: a burst that is read in one go, on a machine that is busy with other things, would
 * be refused although everybody in it is glad to wait.
 */
const DELAYS_A_SAMPLE = 5;
/** A process that was late throughout a sample is refused work for as long again, at most. */
const RETRY_AFTER = '5';

/** Whoever looks whether the process lives must be answered by it, above all when it is busy. */
const ALWAYS_ANSWERED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/** Refuses everything but the health routes while the event loop is late. */
export function shedWhenLate(app: FastifyInstance, { eventLoopDelayMs }: Limits): void {
  app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMs,
    sampleInterval: DELAYS_A_SAMPLE * eventLoopDelayMs,
    pressureHandler: (request) => {
      if (ALWAYS_ANSWERED.has(request.routeOptions.url)) return undefined;
      return Promise.reject(overloaded());
    },
  });
}

/** Refuses a caller who would wait where as many wait as the process takes on. */
export function refuseToWait({ waiters }: Pick<Gateway, 'waiters'>, seconds: number): void {
  if (seconds > 0 && waiters.isFull) throw overloaded();
}

function overloaded(): Problem {
  return new Problem('overloaded', {
    detail: 'Nothing was done. Try again with the same Idempotency-Key after Retry-After.',
    headers: { 'retry-after': RETRY_AFTER },
  });
}
