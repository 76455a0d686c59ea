/** The gateway's environment, read once and checked. Names and meanings: `config/environment.ts`. */
import {
  ConfigurationError,
  optional,
  port,
  positive,
  required,
  type VariableName,
} from '../config/environment';
import { type Limits, LIMITS } from './limits';

/** Everything the gateway is told from outside, but providers and Temporal. */
export interface Configuration {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly keyDigestSecret: Buffer;
  /** Without a slash at its end. */
  readonly deskUrl: string;
  readonly limits: Limits;
  readonly logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
const DESK_URL = 'http://127.0.0.1:8233/namespaces/default/workflows';

/** Reads it. Throws ConfigurationError that names the variable. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  return {
    databaseUrl: required(env, 'DATABASE_URL'),
    host: optional(env, 'HOST', '127.0.0.1'),
    port: port(env, 'PORT', 8080),
    keyDigestSecret: readSecret(env, 'RESOLUTE_KEY_DIGEST_SECRET'),
    deskUrl: optional(env, 'RESOLUTE_DESK_URL', DESK_URL).replace(/\/+$/, ''),
    limits: readLimits(env),
    logLevel: readLogLevel(env),
  };
}

function readSecret(env: NodeJS.ProcessEnv, name: VariableName): Buffer {
  const text = required(env, name);
  if (!/^(?:[0-9a-f]{2}){32,}$/i.test(text)) {
    throw new ConfigurationError(`${name} is not at least 32 bytes in hexadecimal.`);
  }
  return Buffer.from(text, 'hex');
}

function readLimits(env: NodeJS.ProcessEnv): Limits {
  return {
    ...LIMITS,
    requestsPerSecond: positive(env, 'RESOLUTE_RATE_LIMIT', LIMITS.requestsPerSecond),
    mostWaiting: positive(env, 'RESOLUTE_MOST_WAITING', LIMITS.mostWaiting),
    eventLoopDelayMs: positive(env, 'RESOLUTE_MOST_DELAY_MS', LIMITS.eventLoopDelayMs),
  };
}

function readLogLevel(env: NodeJS.ProcessEnv): string {
  const level = optional(env, 'RESOLUTE_LOG_LEVEL', 'info');
  if (LOG_LEVELS.includes(level)) return level;
  throw new ConfigurationError(`RESOLUTE_LOG_LEVEL is not one of ${LOG_LEVELS.join(', ')}.`);
}
