/**
 * Logs as JSON lines on stdout. No request bodies, no header fields, no keys (INV-12); redaction is
 * the second line of defence. Errors are cut down to what holds no data: PostgreSQL's `detail`, for
 * one, may quote a whole row.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

const SECRETS = ['authorization', 'idempotency-key', 'idempotency_key', 'idempotencyKey', 'token'];

/** Makes the logger of the gateway. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'api' },
    serializers: { err: describeError, req: () => undefined, res: () => undefined },
    redact: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
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
