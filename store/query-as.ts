/**
 * Statements of the gateway's role, each sent together with a statement that says for whom it acts: the
 * policies of row-level security (0004) let nothing else be seen or written.
 *
 * Both travel in one message round trip and run in one implicit transaction: PostgreSQL executes what
 * comes before a Sync in order, so the setting is in force before the statement begins, and it is
 * local, so it is gone with the statement. No connection ever keeps a tenant. The public ways to the
 * same end cost 60 % (an explicit transaction) and 30 % (its four statements pipelined) more time a
 * statement; functions of the database cost the same but would move each statement into a migration.
 */
import pg from 'pg';
import { type Queryable } from './pool';

/** Whose rows may be seen: one tenant's, or (operators) everybody's. */
export type Visibility = { readonly tenant: string } | 'every-tenant';

/** A prepared statement; one name means one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs a statement inside what may be seen. In an open transaction that stays until its end. */
export async function queryAs<Row extends pg.QueryResultRow>(
  db: Queryable,
  visibility: Visibility,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const value = visibility === 'every-tenant' ? '*' : visibility.tenant;
  return submit<Row>(db, new QueryAs(statement, { ...AS_TENANT, value }));
}

/** What a statement found, and for whom it was asked. */
export interface AskedFor<Row> {
  /** As `find_caller` (0005) tells it; null where the token is nobody's. */
  readonly holder: unknown;
  /** Of nobody's rows nothing is seen. */
  readonly rows: readonly Row[];
}

/**
 * The same for the tenant of whoever holds a token, found out in the same round trip. The database takes
 * the tenant from the token itself: nothing that the statement says can widen what it sees.
 */
export async function queryAsHolder<Row extends pg.QueryResultRow>(
  db: Queryable,
  tokenDigest: Buffer,
  statement: Statement,
): Promise<AskedFor<Row>> {
  const query = new QueryAs(statement, {
    ...AS_HOLDER,
    value: `\\x${tokenDigest.toString('hex')}`,
  });
  const { rows } = await submit<Row>(db, query);
  return { holder: query.told === null ? null : JSON.parse(query.told), rows };
}

function submit<Row extends pg.QueryResultRow>(
  db: Queryable,
  query: QueryAs,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    // The driver types this call for statements alone; for query objects it is the same at run time.
    (db as unknown as Submitting<pg.QueryResult<Row>>).query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

interface Submitting<Result> {
  query(
    query: pg.Submittable,
    values: undefined,
    done: (error: Error | null | undefined, result: Result) => void,
  ): void;
}

/** The driver's connection, as far as it is used here. */
interface Wire {
  readonly parsedStatements: Record<string, string | undefined>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: Bind): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}

interface Bind {
  readonly portal: string;
  readonly statement: string;
  readonly values: readonly string[];
  readonly valueMapper: (value: string) => string;
}

/** One row, as text. */
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** The driver's query, as far as it is extended here; test/store/query-as.test.ts guards upgrades. */
interface WireQuery extends pg.Submittable {
  prepare(wire: Wire): void;
  hasBeenParsed(wire: Wire): boolean;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

const BaseQuery = pg.Query as unknown as new (statement: Statement) => WireQuery;

/** The statement that comes first and says for whom the other acts. */
interface Acting {
  readonly name: string;
  readonly text: string;
  readonly value: string;
}

const AS_TENANT = {
  name: 'act-for-tenant',
  text: "select null, set_config('resolute.tenant', $1, true)",
};

const AS_HOLDER = {
  name: 'act-for-holder',
  text: `select row_to_json(caller), set_config('resolute.tenant', tenant, true)
    from find_caller($1) caller`,
};

/** Which of them a connection has prepared; the driver keeps no record of statements that come first. */
const prepared = new WeakMap<Wire, Set<string>>();

class QueryAs extends BaseQuery {
  /** What the first statement told in its first column; null where it found nothing. */
  told: string | null = null;
  readonly #statement: string;
  /** For whom it acts. */
  readonly acting: Acting;
  /** The rows and the completion of the first statement are no result of the other. */
  #isSet = false;
  #isParsed = false;

  constructor(statement: Statement, acting: Acting) {
    super(statement);
    this.#statement = statement.name;
    this.acting = acting;
  }

  override prepare(wire: Wire): void {
    const { name, text, value } = this.acting;
    const isPrepared = prepared.get(wire)?.has(name) ?? false;
    this.#isParsed = isPrepared && this.hasBeenParsed(wire);
    // Closing what does not exist is allowed, and makes a statement that was forgotten below no clash.
    if (!this.hasBeenParsed(wire)) wire.close({ type: 'S', name: this.#statement });
    if (!isPrepared) {
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
    }
    wire.bind({ portal: '', statement: name, values: [value], valueMapper: (same) => same });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  override handleDataRow(message: DataRow): void {
    if (this.#isSet) super.handleDataRow(message);
    else this.told = message.fields[0] ?? null;
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSet) super.handleCommandComplete(message, wire);
    else remember(wire, this.acting.name);
    this.#isSet = true;
  }

  override handleError(error: Error, wire: Wire): void {
    // The driver took the first parse for the statement's: which of the two failed is not known.
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the driver's own cache
    if (!this.#isParsed) delete wire.parsedStatements[this.#statement];
    super.handleError(error, wire);
  }
}

function remember(wire: Wire, name: string): void {
  const names = prepared.get(wire);
  if (names === undefined) prepared.set(wire, new Set([name]));
  else names.add(name);
}
