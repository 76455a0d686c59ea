/** The gateway's environment, read once and checked. Names and meanings: `config/environment.ts`. */
import {
  ConfigurationError,
  oneOf,
  optional,
  port,
  positive,
  required,
  type VariableName,
} from '../config/environment';
import { type FirstSend, FIRST_SENDS } from '../workflows/settle-input';
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
  readonly firstSend: FirstSend;
  readonly logLevel: string;
}

const LOG_LEVELS = ['info', 'trace', 'debug', 'warn', 'error', 'fatal'] as const;
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
    firstSend: oneOf(env, 'RESOLUTE_FIRST_SEND', FIRST_SENDS),
    logLevel: oneOf(env, 'RESOLUTE_LOG_LEVEL', LOG_LEVELS),
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
