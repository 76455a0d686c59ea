/** Feeds the waiters from the store's notices, and closes the gap after a lost connection. */
import { type FastifyBaseLogger } from 'fastify';
import { listenForSettled } from '../store/listen';
import { type Pool } from '../store/pool';
import { whichEndedTheWait } from '../store/read-intents';
import { type EventWaiters } from './event-waiters';
import { type Waiters } from './waiters';

/** What the notices need. */
export interface Notices {
  readonly databaseUrl: string;
  readonly db: Pool;
  readonly waiters: Waiters;
  readonly eventWaiters: Pick<EventWaiters, 'nudge'>;
  readonly log: FastifyBaseLogger;
}

/** Starts listening; goes on for as long as the process lives, whatever happens to the store. */
export function wakeOnNotices({ databaseUrl, db, waiters, eventWaiters, log }: Notices) {
  // A store that is down fails five times a second: only the first failure is worth a line.
  let isListening = true;
  const recheck = async (): Promise<void> => {
    const ids = waiters.keys;
    if (ids.length === 0) return;
    for (const id of await whichEndedTheWait(db, ids)) waiters.wake(id);
  };
  return listenForSettled(databaseUrl, {
    onSettled: (intentId) => {
      waiters.wake(intentId);
      eventWaiters.nudge();
    },
    onGap: () => {
      isListening = true;
      // If this fails too, the connection is gone again and another gap will follow.
      recheck().catch((error: unknown) => log.warn({ err: error }, 'waiters were not re-checked'));
    },
    onError: (error) => {
      if (isListening) log.warn({ err: error }, 'no notices from the store; trying again');
      isListening = false;
    },
  });
}
