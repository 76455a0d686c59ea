/**
 * Several prepared statements in one message round trip. PostgreSQL executes what comes before a Sync in
 * order, each statement after the one before and with a snapshot of its own; the first that fails ends
 * them all. Where no transaction is open they are one. The driver sends each statement by itself, which
 * costs both sides a message and a wake-up for each.
 */
import pg from 'pg';
import { type Queryable } from './pool';

/** A prepared statement; one name means one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What each statement brought, in their order. `traceName` is what a trace calls them all. */
export function inOneTrip<Results extends readonly pg.QueryResult[]>(
  db: Queryable,
  statements: readonly Statement[],
  traceName = statements.map(({ name }) => name).join(', '),
): Promise<Results> {
  const query = new OneTrip(statements, traceName);
  return new Promise((resolve, reject) => {
    // The driver types this call for statements alone; for query objects it is the same at run time.
    (db as unknown as Submitting).query(query, undefined, (error, results) => {
      if (error) reject(error);
      else resolve([results].flat() as readonly pg.QueryResult[] as Results);
    });
  });
}

interface Submitting {
  query(
    query: pg.Submittable,
    values: undefined,
    done: (error: Error | null | undefined, results: pg.QueryResult | pg.QueryResult[]) => void,
  ): void;
}

/** The driver's connection, as far as it is used here. */
interface Wire {
  /** Texts by name; what is in it is not parsed again. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: Bind): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

interface Bind {
  readonly portal: string;
  readonly statement: string;
  readonly values: readonly WireValue[];
  readonly valueMapper: (value: WireValue) => WireValue;
}

/** The driver's query, as far as it is extended here; test/store/one-trip.test.ts guards upgrades. */
interface WireQuery {
  submit(connection: pg.Connection): Error | null;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

const BaseQuery = pg.Query as unknown as new (config: { readonly text: string }) => WireQuery;

/** How the driver turns a value into text or bytes. */
const { prepareValue } = (pg as unknown as Driver).utils;

interface Driver {
  readonly utils: { readonly prepareValue: (value: unknown) => WireValue };
}

type WireValue = string | Buffer | null;

/** A statement whose values are as they travel. */
interface Ready extends Omit<Statement, 'values'> {
  readonly values: readonly WireValue[];
}

class OneTrip extends BaseQuery {
  readonly statements: readonly Statement[];
  readonly traceName: string;
  /** Of the statements; those before it are prepared for good. */
  #done = 0;
  /** Names that this trip was the first to send. */
  #parsed: readonly string[] = [];

  constructor(statements: readonly Statement[], traceName: string) {
    super({ text: '' });
    this.statements = statements;
    this.traceName = traceName;
  }

  override submit(connection: pg.Connection): Error | null {
    const wire = connection as unknown as Wire;
    let ready: readonly Ready[];
    try {
      ready = this.statements.map((one) => ({ ...one, values: one.values.map(prepareValue) }));
    } catch (error) {
      // Before anything is sent: half of a trip could not be taken back.
      return error instanceof Error ? error : new Error(String(error));
    }
    this.#parsed = ready.filter((one) => !isParsed(wire, one)).map(({ name }) => name);
    wire.stream.cork();
    for (const one of ready) send(wire, one);
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    const done = this.statements[this.#done];
    if (done !== undefined) wire.parsedStatements[done.name] = done.text;
    this.#done += 1;
    super.handleCommandComplete(message, wire);
  }

  override handleError(error: Error, wire: Wire): void {
    // Of what this trip parsed and did not come to, it is not known whether that was before it failed.
    for (const { name } of this.statements.slice(this.#done)) {
      if (!this.#parsed.includes(name)) continue;
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the driver's own cache
      delete wire.parsedStatements[name];
    }
    super.handleError(error, wire);
  }
}

function isParsed({ parsedStatements }: Wire, { name, text }: Ready): boolean {
  return parsedStatements[name] === text;
}

function send(wire: Wire, one: Ready): void {
  const { name, text, values } = one;
  if (!isParsed(wire, one)) {
    // Closing what does not exist is allowed, and makes a statement that was forgotten above no clash.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ portal: '', statement: name, values, valueMapper: (same) => same });
  wire.describe({ type: 'P', name: '' });
  wire.execute({ portal: '', rows: 0 });
}
