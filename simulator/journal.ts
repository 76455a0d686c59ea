// The file that outlives the process: one JSON line per commit, each a list of records that happen
// together. A line reaches the operating system before any answer leaves, so SIGKILL loses at most
// the commit that was being written, and nobody has been told about that one.

import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { type JournalRecord } from './records';

const NEWLINE = 0x0a;

/** A line that is not the torn last one cannot be read: the ledger can no longer be trusted. */
export class CorruptJournal extends Error {
  override readonly name = 'CorruptJournal';
}

export class Journal {
  readonly #path: string;
  #file: number;
  #length: number;

  /** Opens the journal and hands every earlier record to `replay`. Throws {@link CorruptJournal}. */
  constructor(dataDir: string, replay: (record: JournalRecord) => void) {
    mkdirSync(dataDir, { recursive: true });
    this.#path = join(dataDir, 'journal.jsonl');
    this.#file = openSync(this.#path, 'a');
    const bytes = readFileSync(this.#path);
    this.#length = bytes.lastIndexOf(NEWLINE) + 1;
    // What follows the last newline was being written when the process died.
    if (this.#length < bytes.length) ftruncateSync(this.#file, this.#length);
    this.#replay(bytes.subarray(0, this.#length), replay);
  }

  /** Writes records as one commit: after a crash all of them are there, or none. */
  append(records: readonly JournalRecord[]): void {
    const line = Buffer.from(`${JSON.stringify(records)}\n`);
    const written = writeSync(this.#file, line);
    if (written !== line.length) {
      ftruncateSync(this.#file, this.#length);
      throw new Error('The journal could not be written, is the disk full?');
    }
    this.#length += written;
  }

  /** Forgets everything and starts anew with `records`; a crash leaves the old or the new file. */
  restart(records: readonly JournalRecord[]): void {
    const line = `${JSON.stringify(records)}\n`;
    writeFileSync(`${this.#path}.new`, line);
    renameSync(`${this.#path}.new`, this.#path);
    closeSync(this.#file);
    this.#file = openSync(this.#path, 'a');
    this.#length = Buffer.byteLength(line);
  }

  close(): void {
    closeSync(this.#file);
  }

  #replay(bytes: Buffer, replay: (record: JournalRecord) => void): void {
    let start = 0;
    for (let number = 1; start < bytes.length; number += 1) {
      const end = bytes.indexOf(NEWLINE, start);
      try {
        const records = JSON.parse(bytes.toString('utf8', start, end)) as JournalRecord[];
        records.forEach(replay);
      } catch {
        throw new CorruptJournal(`${this.#path} is corrupt at line ${number}; move it away`);
      }
      start = end + 1;
    }
  }
}
