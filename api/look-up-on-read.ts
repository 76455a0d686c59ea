/**
 * Whoever reads an intent in doubt has its provider asked, where the contract calls that cheap. The
 * reader is answered at once from the row and waits for nothing of it. Nothing is promised either: the
 * signal may be lost, and the schedule goes on. The run says how often the provider is really asked;
 * what is kept here only saves Temporal the signals of a caller who reads in a loop.
 */
import { type Client } from '@temporalio/client';
import { type FastifyBaseLogger } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isInDoubt } from '../domain/reader';
import { tellOfReader } from '../orchestration/start-settlement';
import { type IntentRow } from '../store/intent-row';

/** What is read of an intent. */
export type ReadIntent = Pick<IntentRow, 'id' | 'status' | 'workflowId' | 'contract'>;

/** Makes the teller. It returns at once and never throws. */
export function readerTeller(client: Client, log: FastifyBaseLogger): (intent: ReadIntent) => void {
  const limiter = new RateLimiterMemory({ points: 1, duration: 1 });
  return function intentWasRead({ id, status, workflowId, contract }) {
    const pauseMs = contract.lookUp?.onReadMs;
    if (pauseMs === undefined || !isInDoubt(status)) return;
    limiter
      .consume(id, 1, { customDuration: pauseMs / 1_000 })
      .then(() => tellOfReader(client, workflowId))
      .catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return;
        log.info({ err: error, intent: id }, 'the run was not told of a reader');
      });
  };
}
