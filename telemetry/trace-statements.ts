/**
 * A span for each SQL statement that belongs to something traced, with its name and without its values.
 * Own code instead of the instrumentation package for `pg`: that one must be loaded before `pg` and
 * replaces its methods for the whole process, and it writes statement texts where ours have names.
 */
import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

/** A connection, as far as it is used here; `pg` fits. */
interface Connection {
  query: (...parameters: never[]) => unknown;
}

interface Connections {
  on(event: 'connect', listener: (connection: Connection) => void): unknown;
}

type Run = (...parameters: unknown[]) => unknown;

/** From now on, on every connection that the pool opens. */
export function traceStatements(pool: Connections, tracer: Tracer): void {
  pool.on('connect', (connection) => {
    const run = connection.query.bind(connection) as Run;
    connection.query = (...parameters: unknown[]) => {
      // What the process does for itself, like looking for readers to wake, would be traces of one span.
      if (trace.getActiveSpan() === undefined) return run(...parameters);
      return traced(tracer, run, parameters);
    };
  });
}

function traced(tracer: Tracer, run: Run, parameters: readonly unknown[]): unknown {
  const name = nameOf(parameters[0]);
  const span = tracer.startSpan(`sql ${name}`, {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system': 'postgresql', 'db.operation.name': name },
  });
  const end = (error: unknown): void => {
    if (error instanceof Error) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
    span.end();
  };
  const callback = parameters.at(-1);
  if (typeof callback === 'function') {
    const answered = (error: unknown, result: unknown): void => {
      end(error);
      (callback as Run)(error, result);
    };
    return run(...parameters.slice(0, -1), answered);
  }
  const result = run(...parameters);
  void Promise.resolve(result).then(() => end(null), end);
  return result;
}

interface Named {
  readonly name?: unknown;
  /** Of several that travel together (store/one-trip.ts). */
  readonly traceName?: unknown;
  readonly text?: unknown;
}

/** A prepared statement's name; of others the first words, which are SQL's. */
function nameOf(statement: unknown): string {
  const { name, traceName, text = statement } = Object(statement) as Named;
  if (typeof traceName === 'string') return traceName;
  if (typeof name === 'string' && name !== '') return name;
  return /^\s*(\w+(\s+\w+)?)/.exec(String(text))?.[1]?.toLowerCase() ?? 'statement';
}
