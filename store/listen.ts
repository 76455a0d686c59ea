/**
 * One listening connection per process: it hears that an intent ended its wait, and nothing more
 * (the payload is the intent's id; what happened is read from the row). A dropped connection is
 * opened again, and `onGap` tells that notices may have been missed meanwhile. One that went without a
 * word looks like one on which nothing happens: so it is asked now and then, and dropped where no
 * answer comes.
 */
import type pg from 'pg';
import { clientsHeard } from './silence';

/** The channel on which `write-standing.ts` tells that callers need wait no longer. */
export const SETTLED_CHANNEL = 'intent_settled';

/** What a listener is told. */
export interface ListenerEvents {
  readonly onSettled: (intentId: string) => void;
  /** Listening began (again): anything may have happened before. */
  readonly onGap: () => void;
  readonly onError: (error: Error) => void;
}

const RECONNECT_MS = 200;
/** A caller's wait has the default of 10 s: a lost connection costs about 4 s of it. */
const PING_MS = 2_000;
const PATIENCE = { connectingMs: 1_500, answeringMs: 2_000 };
/** The system's own probes, for what lies between them; its default begins after two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Starts listening; resolves at once and keeps trying until closed. */
export function listenForSettled(url: string, events: ListenerEvents): { close(): Promise<void> } {
  const HeardClient = clientsHeard(PATIENCE);
  let closed = false;
  let client: pg.Client | undefined;
  /** The pings of a connection, or the next try to have one. */
  let timer: NodeJS.Timeout | undefined;

  const onError = (error: unknown): void =>
    events.onError(error instanceof Error ? error : new Error(String(error)));
  const connect = async (own: pg.Client): Promise<void> => {
    await own.connect();
    await own.query(`listen ${SETTLED_CHANNEL}`);
    if (client !== own || closed) return;
    // Not answered in time, the socket is destroyed: the ping fails, and `end` follows.
    timer = setInterval(() => void own.query('select').catch(onError), PING_MS);
    events.onGap();
  };
  // Whoever fails first, the statement or the connection, has it opened again: once for each.
  const lose = (own: pg.Client): void => {
    if (client !== own || closed) return;
    client = undefined;
    clearTimeout(timer);
    timer = setTimeout(start, RECONNECT_MS);
    own.end().catch(onError);
  };
  const start = (): void => {
    const own = new HeardClient({
      connectionString: url,
      application_name: 'resolute-listener',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    client = own;
    own.on('notification', ({ payload }) => {
      if (payload !== undefined) events.onSettled(payload);
    });
    own.on('error', events.onError);
    own.on('end', () => lose(own));
    connect(own).catch((error: unknown) => {
      onError(error);
      lose(own);
    });
  };

  start();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
