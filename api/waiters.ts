/**
 * Callers that wait for an intent to end its wait. They are woken by a notice (one listening
 * connection for the whole process, `settled-notices.ts`), by their own time, by their connection
 * closing, or by the gateway going down; never by polling. What happened is read from the row.
 */

import { LIMITS } from './limits';

/** A wait that began. `ended` never rejects. */
export interface Waiting {
  readonly ended: Promise<void>;
  /** Ends it early; harmless when it has ended. */
  readonly end: () => void;
}

/** The waiting callers of one process. */
export class Waiters {
  readonly #byIntent = new Map<string, Set<Waiting>>();
  readonly #most: number;
  readonly #onWaited: (milliseconds: number) => void;
  #size = 0;
  #closed = false;

  /**
   * Callers beyond `most` do not wait: they are answered from the present state. `onWaited` is told
   * how long each wait took.
   */
  constructor(
    most: number = LIMITS.mostWaiting,
    onWaited: (milliseconds: number) => void = () => undefined,
  ) {
    this.#most = most;
    this.#onWaited = onWaited;
  }

  /** Callers waiting at this moment. */
  get size(): number {
    return this.#size;
  }

  /** Whether nobody else can wait. */
  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  /** What somebody waits for: the ids of intents, for the callers of `intents.ts`. */
  get keys(): readonly string[] {
    return [...this.#byIntent.keys()];
  }

  /** Waits for an intent, at most `milliseconds`. Begin before reading the row: no notice is lost. */
  begin(intentId: string, milliseconds: number): Waiting {
    if (milliseconds <= 0 || this.#closed || this.isFull) return ENDED;
    const begin = performance.now();
    const { promise, resolve } = deferred();
    const waiting: Waiting = {
      ended: promise,
      end: () => {
        if (!this.#remove(intentId, waiting)) return;
        clearTimeout(timer);
        this.#onWaited(performance.now() - begin);
        resolve();
      },
    };
    const timer = setTimeout(waiting.end, milliseconds);
    this.#add(intentId, waiting);
    return waiting;
  }

  /** Wakes everybody who waits for the intent. */
  wake(intentId: string): void {
    for (const waiting of [...(this.#byIntent.get(intentId) ?? [])]) waiting.end();
  }

  /** Wakes everybody; from now on nobody waits. */
  close(): void {
    this.#closed = true;
    this.keys.forEach((intentId) => this.wake(intentId));
  }

  #add(intentId: string, waiting: Waiting): void {
    const others = this.#byIntent.get(intentId);
    if (others === undefined) this.#byIntent.set(intentId, new Set([waiting]));
    else others.add(waiting);
    this.#size += 1;
  }

  #remove(intentId: string, waiting: Waiting): boolean {
    const all = this.#byIntent.get(intentId);
    if (all?.delete(waiting) !== true) return false;
    if (all.size === 0) this.#byIntent.delete(intentId);
    this.#size -= 1;
    return true;
  }
}

const ENDED: Waiting = { ended: Promise.resolve(), end: () => undefined };

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
