/**
 * Several prepared statements in one message round trip. PostgreSQL executes what comes before a Sync in
 * order, each statement after the one before and with a snapshot of its own; the first that fails ends
 * them all. Where no transaction is open they are one. The driver sends each statement by itself, which
 * costs both sides a message and a wake-up for each, and has its columns described every time.
 */
import { type Connection } from 'pg';
import { type Columns, columnsOf, type Field, rowOf, type Types } from './columns';
import { type Queryable, toError } from './pool';
import {
  forgetPrepared,
  keepPrepared,
  knownColumns,
  prepareValue,
  type ReadyStatement,
  sendAll,
  type Wire,
} from './wire';

/** A prepared statement; one name means one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What a statement brought. */
export interface Brought<Row = unknown> {
  /** What was done, in SQL's words: SELECT, INSERT, COMMIT. */
  readonly command: string;
  /** Rows read or written; null where the command has no such number. */
  readonly rowCount: number | null;
  readonly rows: readonly Row[];
}

/** What each statement brought, in their order. `traceName` is what a trace calls them all. */
export function inOneTrip<Results extends readonly Brought[]>(
  db: Queryable,
  statements: readonly Statement[],
  traceName = statements.map(({ name }) => name).join(', '),
): Promise<Results> {
  const query = new OneTrip(statements, traceName);
  return new Promise((resolve, reject) => {
    // The driver types this call for statements alone; for query objects it is the same at run time.
    (db as unknown as Submitting).query(query, undefined, (error, results) => {
      if (error) reject(error);
      else resolve(results as unknown as Results);
    });
  });
}

interface Submitting {
  query(query: OneTrip, values: undefined, done: Done): void;
}

type Done = (error: Error | null | undefined, results: readonly Brought[]) => void;

/** SELECT 3, INSERT 0 1, CREATE TABLE: a command and, last, the number of rows. */
const TAG = /^(\D+?)(?: (?:\d+ )?(\d+))?$/;

/** A query as the driver knows it: it calls what is not private here. */
class OneTrip {
  /** The driver puts it here. */
  callback: Done | undefined;
  /** And here how the values of each type are read on its connection. */
  readonly _result: { readonly _types?: Types } = {};
  readonly traceName: string;
  readonly statements: readonly Statement[];
  readonly #results: Brought[] = [];
  #wire: Wire | undefined;
  /** Names that this trip was the first to send. */
  #unprepared: readonly string[] = [];
  /** How the rows are read of the statement that answers now. */
  #columns: Columns | null | undefined;
  #rows: unknown[] = [];
  #unreadable: Error | undefined;

  constructor(statements: readonly Statement[], traceName: string) {
    this.statements = statements;
    this.traceName = traceName;
  }

  submit(connection: Connection): Error | null {
    const wire = connection as unknown as Wire;
    let ready: readonly ReadyStatement[];
    try {
      ready = this.statements.map((one) => ({ ...one, values: one.values.map(prepareValue) }));
    } catch (error) {
      // Before anything is sent: half of a trip could not be taken back.
      return toError(error);
    }
    this.#wire = wire;
    this.#unprepared = sendAll(wire, ready);
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = columnsOf(fields, this._result._types);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.#columns ??= this.#known();
      if (!this.#columns) throw new Error('a row came without its description');
      this.#rows.push(rowOf(this.#columns, fields));
    } catch (error) {
      this.#unreadable ??= toError(error);
    }
  }

  handleCommandComplete({ text }: { readonly text: string }, wire: Wire): void {
    const done = this.statements[this.#results.length];
    if (done !== undefined) keepPrepared(wire, done, this.#columns ?? this.#known() ?? null);
    const [, command = text, count] = TAG.exec(text) ?? [];
    const rowCount = count === undefined ? null : Number(count);
    this.#results.push({ command, rowCount, rows: this.#rows });
    this.#columns = undefined;
    this.#rows = [];
  }

  #known(): Columns | null | undefined {
    const answering = this.statements[this.#results.length];
    return this.#wire && answering && knownColumns(this.#wire, answering.name);
  }

  handleReadyForQuery(): void {
    this.callback?.(this.#unreadable, this.#results);
  }

  handleError(error: Error, wire: Wire): void {
    const done = this.statements.slice(0, this.#results.length).map(({ name }) => name);
    for (const name of this.#unprepared) {
      // Of what it did not come to, it is not known whether it was parsed before the trip failed.
      if (!done.includes(name)) forgetPrepared(wire, name);
    }
    this.callback?.(error, []);
  }
}
