/**
 * Logs as JSON lines on stdout, of every program that serves. No request bodies, no header fields, no
 * keys (INV-12); redaction is the second line of defence. Errors are cut down to what holds no data:
 * PostgreSQL's `detail`, for one, may quote a whole row. A line about an intent has its id as `intent`.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

const SECRETS = ['authorization', 'idempotency-key', 'idempotency_key', 'idempotencyKey', 'token'];

/** What a process is called in its lines, and from which level on it writes them. */
export interface LoggerOptions {
  readonly program: 'api' | 'worker';
  readonly level: string;
}

/** Makes the logger of a process. */
export function createLogger(
  { program, level }: LoggerOptions,
  destination?: DestinationStream,
): Logger {
  const options = {
    level,
    base: { program },
    serializers: {
      err: describeError,
      error: describeIfError,
      req: () => undefined,
      res: () => undefined,
    },
    redact: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The Temporal SDK hands errors over as `error`; our own lines write a text there. */
function describeIfError(error: unknown): unknown {
  return error instanceof Error ? describeError(error) : error;
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...('constraint' in error ? { constraint: error.constraint } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
