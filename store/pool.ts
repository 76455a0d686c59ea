/**
 * Connections. The only folder that imports `pg` is this one. Every session bounds its statements,
 * its lock waits and its idle transactions on the server, below the client's own time-out, so that a
 * client that gives up never leaves a statement running behind it.
 */
import pg from 'pg';
import { clientsHeard } from './silence';
import { Turns } from './turns';

/** Amounts and ids fit a double exactly; one that does not is a bug, not a rounding. */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`);
  return value;
}

/** Anything that runs a statement: the pool itself or one client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool;

/** What a process says about its connections. */
export interface PoolOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Most connections; the default fits one process beside its peers. */
  readonly size?: number;
  /** How long a statement may take on the server, and how long the client waits for its answer. */
  readonly patienceMs?: { readonly statement: number; readonly answer: number };
  /** Told of connections that break while idle; the pool replaces them by itself. */
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool. Nothing is connected before the first statement. */
export function createPool({
  url,
  name,
  size = 16,
  patienceMs = { statement: 5_000, answer: 8_000 },
  onIdleError,
}: PoolOptions): Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, parseSafeInteger);
  const pool = new PoolInTurn({
    connectionString: url,
    application_name: name,
    max: size,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: patienceMs.statement,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
    types,
    Client: clientsHeard({ connectingMs: CONNECT_MS, answeringMs: patienceMs.answer }),
  });
  pool.on('error', onIdleError);
  return pool;
}

const CONNECT_MS = 1_500;
/**
 * As quick as a connection that cannot be made. Where the store gets on, whoever is in the queue stays
 * there for as long as a caller may ask to wait; more than so many are refused as they come.
 */
const TURN_PATIENCE = { stalledMs: CONNECT_MS, longestMs: 60_000, mostWaiting: 10_000 };

/** The driver's pool, with a queue that tells a busy store from one that cannot be reached. */
class PoolInTurn extends pg.Pool {
  readonly #turns: Turns;

  constructor(config: pg.PoolConfig & { readonly max: number }) {
    super(config);
    this.#turns = new Turns(config.max, TURN_PATIENCE);
    // A refused statement is an answer; a connection that broke is none.
    this.on('release', (error: unknown) => {
      this.#turns.end(!error || error instanceof pg.DatabaseError);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connectInTurn();
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: unknown) => callback(toError(error), undefined, () => undefined),
    );
    return undefined;
  }

  async #connectInTurn(): Promise<pg.PoolClient> {
    await this.#turns.begin();
    try {
      return await super.connect();
    } catch (error) {
      this.#turns.end(false);
      throw error;
    }
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** What was thrown, as an error. */
export function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** What PostgreSQL says of a statement that it refused. */
interface SqlRefusal {
  /** SQLSTATE. */
  readonly code: string;
  readonly constraint: string | null;
  readonly detail: string | null;
}

/** Why a statement was refused; null for anything else. */
export function refusal(error: unknown): SqlRefusal | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  const { code, constraint, detail } = error;
  return { code: code ?? '', constraint: constraint ?? null, detail: detail ?? null };
}

/** What the driver says when there is no usable connection; it gives these errors no code. */
const NO_CONNECTION =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client (was closed|has encountered)|Cannot use a pool after)/;

/**
 * SQLSTATE classes connection, resources, operator intervention; lock and idle time-outs; rolled back as
 * the victim of a deadlock or for another's write.
 */
const REFUSED_FOR_NOW = /^(08|53|57|55P03|25P03|40001|40P01)/;

/** Of the operating system: ECONNREFUSED, ECONNRESET, EPIPE…; not Node's own ERR_ codes. */
const SYSTEM_ERROR = /^E(?!RR_)[A-Z]+$/;

/**
 * True if the store could not be asked, or did not answer in time: the work was refused, not decided
 * (INV-13). Anything else is a bug and must not hide behind "try again".
 */
export function isStoreUnavailable(error: unknown): boolean {
  const { code, message } = Object(error) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  if (error instanceof pg.DatabaseError) return REFUSED_FOR_NOW.test(error.code ?? '');
  if (typeof code === 'string') return SYSTEM_ERROR.test(code);
  return typeof message === 'string' && NO_CONNECTION.test(message);
}
