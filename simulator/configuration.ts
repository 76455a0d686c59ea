// Reads the environment. Whatever is missing or malformed stops the start with one line that names
// the variable; values are never printed, since one of them is a secret.

import { Webhook } from 'standardwebhooks';

import { type Contracts, readContracts } from './contract';
import { parseJson, Refusal } from './shape';

/** The environment does not allow a start. `variable` is the one to correct. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly variable: string;

  constructor(variable: string, problem: string) {
    super(`${variable}: ${problem}`);
    this.variable = variable;
  }
}

/** Everything a simulator process is told from outside. Ports: 0 means any free one. */
export interface Configuration {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly dataDir: string;
  readonly contracts: Contracts;
  readonly signingSecret: string;
  readonly apiUrl: string;
}

/** Throws {@link ConfigurationError} for the first variable that does not serve. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const port = readPort(env, 'PORT', 8090);
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port,
    adminPort: readPort(env, 'RESOLUTE_SIMULATOR_ADMIN_PORT', port === 0 ? 0 : port + 1),
    dataDir: env['RESOLUTE_SIMULATOR_DATA_DIR'] ?? '.resolute/simulator',
    contracts: readContract(env),
    signingSecret: readSecret(env),
    apiUrl: readApiUrl(env),
  };
}

function readPort(env: NodeJS.ProcessEnv, variable: string, preset: number): number {
  const text = env[variable] ?? String(preset);
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) {
    throw new ConfigurationError(variable, 'must be a port number from 0 to 65535');
  }
  return port;
}

function readContract(env: NodeJS.ProcessEnv): Contracts {
  const variable = 'RESOLUTE_SIMULATOR_CONTRACT';
  try {
    return readContracts(parseJson(env[variable]));
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigurationError(variable, error.message);
    throw error;
  }
}

/** Of several, as receivers have them during a rotation, the first one signs. */
function readSecret(env: NodeJS.ProcessEnv): string {
  const variable = 'RESOLUTE_SIMULATOR_SIGNING_SECRET';
  const [secret = ''] = required(env, variable)
    .trim()
    .split(/[\s,]+/);
  try {
    if (!secret.startsWith('whsec_')) throw new Error('prefix missing');
    new Webhook(secret);
  } catch {
    throw new ConfigurationError(variable, 'must be a Standard Webhooks secret, whsec_<base64>');
  }
  return secret;
}

function readApiUrl(env: NodeJS.ProcessEnv): string {
  const variable = 'RESOLUTE_API_URL';
  const text = required(env, variable);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(variable, 'must be an http or https URL');
  }
  return text.replace(/\/+$/, '');
}

function required(env: NodeJS.ProcessEnv, variable: string): string {
  const text = env[variable];
  if (text === undefined || text === '') throw new ConfigurationError(variable, 'is required');
  return text;
}
