// Effects that are under way: accepted, not yet landed. They are journal records, so that a restart
// neither loses nor repeats one.

import { keyAddress } from './key-memory';
import { type CreateRequest, type Landing, type LandingRecord } from './records';

export class Landings {
  readonly #pending = new Map<string, Landing>();
  /** Held keys by address; the key layer lets nobody take one that is held. */
  readonly #holders = new Map<string, string>();

  pending(): Landing[] {
    return [...this.#pending.values()];
  }

  isPending(landing: Landing): boolean {
    return this.#pending.has(landing.id);
  }

  /** Whether a call other than `own` with this key is still being worked on. */
  holdsKey(request: CreateRequest, own: Landing | null): boolean {
    const address = keyAddress(request);
    const holder = address === null ? undefined : this.#holders.get(address);
    return holder !== undefined && holder !== own?.id;
  }

  apply(record: LandingRecord): void {
    if (record.type === 'landing-scheduled') {
      this.#pending.set(record.landing.id, record.landing);
      const address = record.landing.holdsKey ? keyAddress(record.landing.request) : null;
      if (address !== null) this.#holders.set(address, record.landing.id);
      return;
    }
    const landing = this.#pending.get(record.id);
    this.#pending.delete(record.id);
    const address = landing?.holdsKey === true ? keyAddress(landing.request) : null;
    if (address !== null && this.#holders.get(address) === record.id) this.#holders.delete(address);
  }
}
