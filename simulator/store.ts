// Journal and memory as one thing. A change is written first and then applied by the same code that
// replays it at start, so what a restart sees is what the process saw.

import { Journal } from './journal';
import { KeyMemory } from './key-memory';
import { Landings } from './landings';
import { Ledger } from './ledger';
import { Programme } from './programme';
import { type JournalRecord } from './records';
import { DEFAULT_SETTINGS, type Settings } from './settings';

export class Store {
  #ledger = new Ledger();
  #keys = new KeyMemory();
  #landings = new Landings();
  #programme = new Programme();
  #settings: Settings = DEFAULT_SETTINGS;
  readonly #journal: Journal;

  /** Opens the data directory and replays it. Throws `CorruptJournal` or a file system error. */
  constructor(dataDir: string) {
    this.#journal = new Journal(dataDir, (record) => this.#apply(record));
  }

  get ledger(): Ledger {
    return this.#ledger;
  }
  get keys(): KeyMemory {
    return this.#keys;
  }
  get landings(): Landings {
    return this.#landings;
  }
  get programme(): Programme {
    return this.#programme;
  }
  get settings(): Settings {
    return this.#settings;
  }

  /** Makes the records true, all together, before anybody is answered. */
  commit(...records: readonly JournalRecord[]): void {
    if (records.length === 0) return;
    this.#journal.append(records);
    records.forEach((record) => this.#apply(record));
  }

  /** Forgets ledger, keys, programme and what is under way; the settings stay. */
  reset(): void {
    this.#journal.restart([{ type: 'settings-changed', settings: this.#settings }]);
    this.#ledger = new Ledger();
    this.#keys = new KeyMemory();
    this.#landings = new Landings();
    this.#programme = new Programme();
  }

  close(): void {
    // Timers of landings may still fire in this process; they find nothing to do any more.
    this.#landings = new Landings();
    this.#journal.close();
  }

  #apply(record: JournalRecord): void {
    switch (record.type) {
      case 'call':
      case 'effect':
      case 'effect-changed':
        this.#ledger.apply(record);
        return;
      case 'answer-saved':
      case 'keys-forgotten':
      case 'keys-honoured-again':
        this.#keys.apply(record);
        return;
      case 'fault-programmed':
      case 'fault-used':
      case 'faults-cleared':
        this.#programme.apply(record);
        return;
      case 'landing-scheduled':
      case 'landed':
        this.#landings.apply(record);
        return;
      case 'settings-changed':
        this.#settings = record.settings;
        return;
      default:
        unknownRecord(record);
    }
  }
}

/** A journal of a newer version: better refused loudly than half understood. */
function unknownRecord(record: never): never {
  throw new Error(`unknown record ${JSON.stringify(record)}`);
}
