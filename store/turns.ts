/**
 * Whose turn it is at the connections of a process. The driver's own queue counts the time in it as
 * time to connect: under a burst it would report a store that answers all the time as one that cannot
 * be reached. Here a wait goes on for as long as the store gets on with its work, and ends for all
 * together when it does not: so a frozen store is noticed as quickly as by the first in the queue.
 *
 * Time is counted in ticks, which a busy event loop makes later and not more: answers that lie unread
 * in the socket are not taken for silence.
 */

/** How long a queue waits. */
export interface TurnPatience {
  /** Without any statement that ended. */
  readonly stalledMs: number;
  /** In all. */
  readonly longestMs: number;
  /** Those who wait at one time; whoever comes then is refused at once. */
  readonly mostWaiting: number;
}

const TICK_MS = 50;
/**
 * A turn that failed while nothing else ended is a store that does not answer: whoever came next would
 * only find out for himself, and be told twice as late. One that failed among others is its own.
 */
const SILENCE_MS = 300;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
  ticks: number;
}

/** As the driver words it, so that it is understood where that is. */
function noTurn(): Error {
  return new Error('timeout exceeded when trying to connect');
}

/** The queue before `size` connections. */
export class Turns {
  readonly #patience: TurnPatience;
  readonly #waiting: Waiting[] = [];
  #free: number;
  #idleTicks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(size: number, patience: TurnPatience) {
    this.#free = size;
    this.#patience = patience;
  }

  /** Resolves when it is the caller's turn; {@link end} must follow. Rejects where the store stalls. */
  begin(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#patience.mostWaiting) return Promise.reject(noTurn());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ begin: resolve, refuse: reject, ticks: 0 });
      this.#timer ??= this.#startTicking();
    });
  }

  /** Ends a turn. `gotOn`: the store answered, whatever it said. */
  end(gotOn: boolean): void {
    if (gotOn) this.#idleTicks = 0;
    else if (this.#idleTicks * TICK_MS >= SILENCE_MS) this.#refuseAll();
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.begin();
  }

  #refuseAll(): void {
    for (const one of this.#waiting.splice(0)) one.refuse(noTurn());
  }

  #startTicking(): NodeJS.Timeout {
    this.#idleTicks = 0;
    return setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    this.#idleTicks += 1;
    const { stalledMs, longestMs } = this.#patience;
    const isStalled = this.#idleTicks * TICK_MS >= stalledMs;
    for (const one of this.#waiting.splice(0)) {
      one.ticks += 1;
      if (isStalled || one.ticks * TICK_MS >= longestMs) one.refuse(noTurn());
      else this.#waiting.push(one);
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
