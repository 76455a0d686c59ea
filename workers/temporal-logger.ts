/** Lets the Temporal SDK speak through our logger, one JSON line each. */
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker';
import { type Logger as Pino } from 'pino';

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** The SDK's own chatter below WARN stays out. */
export function createTemporalLogger(logger: Pino): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    logger[LEVELS[level]]({ ...meta, sdk: true }, message);
  });
}
