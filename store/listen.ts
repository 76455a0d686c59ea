/**
 * One listening connection per process: it hears that an intent ended its wait, and nothing more
 * (the payload is the intent's id; what happened is read from the row). A dropped connection is
 * opened again, and `onGap` tells that notices may have been missed meanwhile.
 */
import pg from 'pg';

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

/** Starts listening; resolves at once and keeps trying until closed. */
export function listenForSettled(url: string, events: ListenerEvents): { close(): Promise<void> } {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    client = new pg.Client({
      connectionString: url,
      application_name: 'resolute-listener',
      connectionTimeoutMillis: 1_500,
      keepAlive: true,
    });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) events.onSettled(payload);
    });
    client.on('error', events.onError);
    client.on('end', retry);
    await client.connect();
    await client.query(`listen ${SETTLED_CHANNEL}`);
    events.onGap();
  };
  const retry = (): void => {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(start, RECONNECT_MS);
  };
  const start = (): void => {
    connect().catch((error: unknown) => {
      events.onError(error instanceof Error ? error : new Error(String(error)));
      retry();
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
