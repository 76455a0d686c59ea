/**
 * Connections that say nothing are broken off: the store is frozen, or the network swallows it. The
 * driver's own time-outs are timers, and a timer that is overdue fires before a busy event loop reads
 * the answer that came meanwhile: under a burst it would report a store that answers as one that does
 * not. Here silence is counted in ticks, which a busy loop makes later and not more, so that what lies
 * unread in the socket is read before the next one.
 */
import pg from 'pg';

/** How long a connection may say nothing. */
export interface SilencePatience {
  /** From the first step to the first statement. */
  readonly connectingMs: number;
  /** While a statement is under way. */
  readonly answeringMs: number;
}

const TICK_MS = 50;

/** The driver's client, as far as it is used here; test/store/silence.test.ts guards upgrades. */
interface Wire {
  /** False while connecting and while a statement is under way. */
  readonly readyForQuery?: boolean;
  readonly connection: {
    readonly stream: { readonly bytesRead: number; readonly destroy: () => void };
  };
}

interface Heard {
  bytes: number;
  silentTicks: number;
  isConnected: boolean;
}

/** A client for one pool: of each that is made, the silence is counted until it ends. */
export function clientsHeard(patience: SilencePatience): typeof pg.Client {
  const watch = new SilenceWatch(patience);
  return class HeardClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      watch.begin(this);
    }
  };
}

class SilenceWatch {
  readonly #patience: SilencePatience;
  readonly #heard = new Map<pg.Client, Heard>();
  #timer: NodeJS.Timeout | undefined;

  constructor(patience: SilencePatience) {
    this.#patience = patience;
  }

  begin(client: pg.Client): void {
    const heard: Heard = { bytes: 0, silentTicks: 0, isConnected: false };
    this.#heard.set(client, heard);
    client.once('connect', () => (heard.isConnected = true));
    client.once('end', () => this.#end(client));
    // Nobody is kept alive by it: whoever waits for a statement has the socket.
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #end(client: pg.Client): void {
    this.#heard.delete(client);
    if (this.#heard.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const { connectingMs, answeringMs } = this.#patience;
    for (const [client, heard] of this.#heard) {
      const { readyForQuery, connection } = client as unknown as Wire;
      const { bytesRead } = connection.stream;
      const isSilent = readyForQuery !== true && bytesRead === heard.bytes;
      heard.bytes = bytesRead;
      heard.silentTicks = isSilent ? heard.silentTicks + 1 : 0;
      const most = heard.isConnected ? answeringMs : connectingMs;
      // Its statement fails with "Connection terminated", and the pool lets go of it.
      if (heard.silentTicks * TICK_MS >= most) connection.stream.destroy();
    }
  }
}
