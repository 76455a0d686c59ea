/**
 * The one table of environment variables. Every process reads its configuration here and nowhere
 * else; `docs/configuration.md` shows the same table and a test compares them. The Temporal SDK's own
 * variables (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS…) are read by @temporalio/envconfig.
 */

/** The programs that are configured from the environment. */
export type Program = 'api' | 'worker' | 'simulator' | 'migrate' | 'seed' | 'cli';

/** One documented variable. */
export interface Variable {
  readonly name: string;
  readonly readBy: readonly Program[];
  /** Null: required. */
  readonly default: string | null;
  /** The programs that do not start without it, where others have the default. */
  readonly requiredBy?: readonly Program[];
  readonly meaning: string;
}

export const VARIABLES = [
  {
    name: 'DATABASE_URL',
    readBy: ['api', 'worker', 'migrate', 'seed', 'cli'],
    default: null,
    meaning: 'PostgreSQL, as the role of the process: resolute_api, resolute_worker, or the owner',
  },
  {
    name: 'PORT',
    readBy: ['api', 'simulator'],
    default: '8080 (api), 8090 (simulator)',
    meaning: 'Port to listen on',
  },
  {
    name: 'HOST',
    readBy: ['api', 'worker', 'simulator'],
    default: '127.0.0.1',
    meaning: 'Address to listen on (worker: for its metrics); 0.0.0.0 in a container',
  },
  {
    name: 'RESOLUTE_KEY_DIGEST_SECRET',
    readBy: ['api'],
    default: null,
    meaning:
      'At least 32 bytes in hexadecimal: keys the digest of idempotency keys. Never change it: identities are found by it',
  },
  {
    name: 'RESOLUTE_DESK_URL',
    readBy: ['api'],
    default: 'http://127.0.0.1:8233/namespaces/default/workflows',
    meaning: 'Where the Temporal Web UI lists workflows; links.desk begins with it',
  },
  {
    name: 'RESOLUTE_RATE_LIMIT',
    readBy: ['api'],
    default: '1000',
    meaning:
      'Requests a second that one token may make of one process, averaged over ten seconds; more are 429',
  },
  {
    name: 'RESOLUTE_MOST_WAITING',
    readBy: ['api'],
    default: '10000',
    meaning: 'Callers that one process lets wait for an outcome at one time; more are 503',
  },
  {
    name: 'RESOLUTE_MOST_DELAY_MS',
    readBy: ['api'],
    default: '2000',
    meaning:
      'Mean delay of the event loop, milliseconds, over five times as long, beyond which a process answers 503',
  },
  {
    name: 'RESOLUTE_FIRST_SEND',
    readBy: ['api'],
    default: 'activity',
    meaning: 'How new intents are sent first: `activity` or `local-activity` (see below)',
  },
  {
    name: 'RESOLUTE_SIMULATOR_URL',
    readBy: ['api', 'worker'],
    default: '',
    meaning: 'The provider simulator; empty: its six providers are not registered',
  },
  {
    name: 'RESOLUTE_SIMULATOR_CONTRACT',
    readBy: ['api', 'worker', 'simulator'],
    default: '{}',
    meaning: "JSON merged over the simulator providers' contracts",
  },
  {
    name: 'RESOLUTE_SIMULATOR_SIGNING_SECRET',
    readBy: ['api', 'simulator'],
    default: '',
    requiredBy: ['simulator'],
    meaning:
      'whsec_… that signs the simulator\u2019s notifications, or several during a rotation, separated by commas or spaces; empty: the api refuses them',
  },
  {
    name: 'RESOLUTE_SIMULATOR_ADMIN_PORT',
    readBy: ['simulator'],
    default: 'PORT + 1',
    meaning: 'Port of the simulator\u2019s administration',
  },
  {
    name: 'RESOLUTE_SIMULATOR_DATA_DIR',
    readBy: ['simulator'],
    default: '.resolute/simulator',
    meaning: 'Where the simulator keeps its ledger',
  },
  {
    name: 'STRIPE_API_KEY',
    readBy: ['api', 'worker'],
    default: '',
    meaning: 'Secret or restricted key (sk_…, rk_…) of Stripe; empty: stripe is not registered',
  },
  {
    name: 'STRIPE_ACCOUNT',
    readBy: ['api', 'worker'],
    default: '',
    meaning:
      'The account of that key (acct_…), required with it: intents are never sent through another one',
  },
  {
    name: 'STRIPE_API_BASE',
    readBy: ['api', 'worker'],
    default: 'https://api.stripe.com',
    meaning: 'Origin of Stripe\u2019s API; another one only for tests',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    readBy: ['api'],
    default: '',
    meaning:
      'whsec_… of the webhook endpoint, or several during a rotation, separated by commas or spaces; empty: Stripe\u2019s notifications are refused',
  },
  {
    name: 'RESOLUTE_API_URL',
    readBy: ['simulator', 'cli'],
    default: null,
    meaning: 'Where the gateway is, for the simulator’s notifications and operators’ commands',
  },
  {
    name: 'RESOLUTE_OPERATOR_TOKEN',
    readBy: ['cli'],
    default: null,
    meaning: 'Bearer token of the operator who runs a command (resolute operator create)',
  },
  {
    name: 'RESOLUTE_API_PASSWORD',
    readBy: ['migrate'],
    default: null,
    meaning: 'Password of the role resolute_api',
  },
  {
    name: 'RESOLUTE_WORKER_PASSWORD',
    readBy: ['migrate'],
    default: null,
    meaning: 'Password of the role resolute_worker',
  },
  {
    name: 'RESOLUTE_DEMO_ACME_TOKEN',
    readBy: ['seed'],
    default: '',
    meaning: 'Bearer token of the demo tenant acme, at least 32 characters; empty: it is not made',
  },
  {
    name: 'RESOLUTE_DEMO_GLOBEX_TOKEN',
    readBy: ['seed'],
    default: '',
    meaning: 'The same for the demo tenant globex',
  },
  {
    name: 'RESOLUTE_DEMO_OLIVE_TOKEN',
    readBy: ['seed'],
    default: '',
    meaning: 'The same for the demo operator olive',
  },
  {
    name: 'RESOLUTE_DEMO_OSCAR_TOKEN',
    readBy: ['seed'],
    default: '',
    meaning: 'The same for the demo operator oscar, who approves what olive decides',
  },
  {
    name: 'RESOLUTE_RETENTION_AT',
    readBy: ['worker'],
    default: '03:00',
    meaning: 'When the daily purge begins: HH:MM, UTC',
  },
  {
    name: 'RESOLUTE_LOG_LEVEL',
    readBy: ['api', 'worker'],
    default: 'info',
    meaning: 'trace, debug, info, warn, error or fatal',
  },
  {
    name: 'RESOLUTE_METRICS_PORT',
    readBy: ['worker'],
    default: '',
    meaning:
      'Port of the worker\u2019s metrics; the next one has those of the Temporal SDK. Empty: none; 0: any free ones',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    readBy: ['api', 'worker'],
    default: '',
    meaning:
      'Where traces are sent, OTLP over HTTP: http://collector:4318. Empty: nothing is traced',
  },
] as const satisfies readonly Variable[];

/** Names of the documented variables. */
export type VariableName = (typeof VARIABLES)[number]['name'];

/** A variable is missing or malformed; the message is one line that names it. */
export class ConfigurationError extends Error {}

/** sysexits.h EX_CONFIG: the supervisor does not start the program again. */
export const EXIT_CONFIGURATION = 78;

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that must be set. */
export function required(env: Environment, name: VariableName): string {
  const value = env[name]?.trim() ?? '';
  if (value === '') throw new ConfigurationError(`${name} is not set: ${meaningOf(name)}.`);
  return value;
}

/** A variable with a default. */
export function optional(env: Environment, name: VariableName, fallback: string): string {
  const value = env[name]?.trim() ?? '';
  return value === '' ? fallback : value;
}

/** One of a few words. */
export function oneOf<Word extends string>(
  env: Environment,
  name: VariableName,
  [fallback, ...others]: readonly [Word, ...Word[]],
): Word {
  const text = optional(env, name, fallback);
  const found = [fallback, ...others].find((word) => word === text);
  if (found !== undefined) return found;
  throw new ConfigurationError(`${name} is not one of ${[fallback, ...others].join(', ')}.`);
}

/** A TCP port; 0 takes any free one. */
export function port(env: Environment, name: VariableName, fallback: number): number {
  const text = optional(env, name, String(fallback));
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) {
    throw new ConfigurationError(`${name} is not a port (0 to 65535): ${meaningOf(name)}.`);
  }
  return value;
}

/** A time of day in UTC. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** `HH:MM`, 00:00 to 23:59. */
export function timeOfDay(env: Environment, name: VariableName, fallback: string): TimeOfDay {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(optional(env, name, fallback)) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new ConfigurationError(
      `${name} is not a time of day, 00:00 to 23:59: ${meaningOf(name)}.`,
    );
  }
  return { hour: Number(hour), minute: Number(minute) };
}

/** A whole number above zero. */
export function positive(env: Environment, name: VariableName, fallback: number): number {
  const text = optional(env, name, String(fallback));
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new ConfigurationError(`${name} is not a whole number above 0: ${meaningOf(name)}.`);
  }
  return Number(text);
}

function meaningOf(name: VariableName): string {
  return VARIABLES.find((variable) => variable.name === name)?.meaning ?? '';
}
