/**
 * Statements of the gateway's role, each sent together with the tenant for whom it acts: the policies
 * of row-level security (0004) let nothing else be seen or written.
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
export function queryAs<Row extends pg.QueryResultRow>(
  db: Queryable,
  visibility: Visibility,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const query = new QueryAs(statement, visibility === 'every-tenant' ? '*' : visibility.tenant);
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

/** The driver's query, as far as it is extended here; test/store/query-as.test.ts guards upgrades. */
interface WireQuery extends pg.Submittable {
  prepare(wire: Wire): void;
  hasBeenParsed(wire: Wire): boolean;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

const BaseQuery = pg.Query as unknown as new (statement: Statement) => WireQuery;

const ACT_FOR = "select set_config('resolute.tenant', $1, true)";

class QueryAs extends BaseQuery {
  readonly #statement: string;
  readonly #tenant: string;
  /** The row and the completion of the setting come first, and are nobody's result. */
  #isSet = false;

  constructor(statement: Statement, tenant: string) {
    super(statement);
    this.#statement = statement.name;
    this.#tenant = tenant;
  }

  override prepare(wire: Wire): void {
    // Closing what does not exist is allowed, and makes a statement that was forgotten below no clash.
    if (!this.hasBeenParsed(wire)) wire.close({ type: 'S', name: this.#statement });
    wire.parse({ name: '', text: ACT_FOR });
    wire.bind({ portal: '', statement: '', values: [this.#tenant], valueMapper: (text) => text });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSet) super.handleCommandComplete(message, wire);
    this.#isSet = true;
  }

  override handleError(error: Error, wire: Wire): void {
    // The driver took the setting's parse for the statement's: which of the two failed is not known.
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the driver's own cache
    delete wire.parsedStatements[this.#statement];
    super.handleError(error, wire);
  }
}
