/**
 * Readers that wait for their feed to go on. One question to the store for all of them together, a
 * few times a second while anybody waits; and at once, or nearly, when a notice tells that an intent
 * ended its wait. A notice for every event would be quicker for the rest, but commits that notify
 * queue behind each other, and an event can be read only when no older transaction is open, of which
 * no notice tells.
 */
import { type EventReader } from '../store/read-events';
import { Waiters, type Waiting } from './waiters';

/** How long an event may lie unread while its reader waits. */
const LOOK_EVERY_MS = 250;
/** After a notice: enough for its commit to be the oldest, and for a burst to become one question. */
const NUDGED_LOOK_MS = 20;
/** Each is a probe of an index; readers beyond this number are answered at once. */
const MOST_READERS = 1_000;

/** What it needs: the question, and to whom to tell that it failed. */
export interface EventLook {
  /** Which of the readers can read on, by their index. */
  readonly whoCanReadOn: (readers: readonly EventReader[]) => Promise<readonly number[]>;
  readonly onError: (error: unknown) => void;
}

/** The waiting readers of one process. */
export class EventWaiters {
  readonly #look: EventLook;
  readonly #waiters = new Waiters(MOST_READERS);
  readonly #readers = new Map<string, EventReader>();
  #timer: NodeJS.Timeout | undefined;
  /** The next look is near, or under way: a burst of notices must not put it off. */
  #isSoon = false;

  constructor(look: EventLook) {
    this.#look = look;
  }

  /** Readers waiting at this moment. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Waits at most `milliseconds`. Begin before reading the feed: no event is missed. */
  begin(reader: EventReader, milliseconds: number): Waiting {
    const key = `${reader.tenant} ${reader.after.position} ${reader.after.id}`;
    this.#readers.set(key, reader);
    const waiting = this.#waiters.begin(key, milliseconds);
    this.#timer ??= this.#lookIn(LOOK_EVERY_MS);
    return waiting;
  }

  /** Something happened: look soon. */
  nudge(): void {
    if (this.#timer === undefined || this.#isSoon) return;
    this.#isSoon = true;
    clearTimeout(this.#timer);
    this.#timer = this.#lookIn(NUDGED_LOOK_MS);
  }

  /** Wakes everybody; from now on nobody waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#waiters.close();
  }

  #lookIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => void this.#wakeWhoCanReadOn(), milliseconds);
  }

  async #wakeWhoCanReadOn(): Promise<void> {
    const present = new Set(this.#waiters.keys);
    for (const key of this.#readers.keys()) if (!present.has(key)) this.#readers.delete(key);
    if (this.#readers.size === 0) {
      this.#timer = undefined;
      this.#isSoon = false;
      return;
    }
    const asked = [...this.#readers];
    this.#isSoon = true;
    try {
      const ready = await this.#look.whoCanReadOn(asked.map(([, reader]) => reader));
      for (const index of ready) this.#waiters.wake(asked[index]?.[0] ?? '');
    } catch (error) {
      // The next look may go better; whoever waits is answered at the end of the wait at the latest.
      this.#look.onError(error);
    } finally {
      this.#isSoon = false;
      this.#timer = this.#lookIn(LOOK_EVERY_MS);
    }
  }
}
