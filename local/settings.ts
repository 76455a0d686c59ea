/** The environment variables of `npm start`, read once and checked. */
import { resolve } from 'node:path';
import type { WantedPort } from './ports';
import { configurationError, messageOf } from './start-error';

export interface Settings {
  readonly dataDirectory: string;
  readonly ports: Readonly<Record<PortName, WantedPort>>;
  /** JSON text, handed to the simulator, the API and the worker as it is. */
  readonly simulatorContract: string;
}

export type PortName = 'api' | 'simulator' | 'temporal' | 'ui' | 'database';

interface PortVariable {
  readonly variable: string;
  readonly fallback: number;
}

const portVariables: Record<PortName, PortVariable> = {
  api: { variable: 'RESOLUTE_API_PORT', fallback: 8080 },
  simulator: { variable: 'RESOLUTE_SIMULATOR_PORT', fallback: 8090 },
  temporal: { variable: 'RESOLUTE_TEMPORAL_PORT', fallback: 7233 },
  ui: { variable: 'RESOLUTE_UI_PORT', fallback: 8233 },
  database: { variable: 'RESOLUTE_DATABASE_PORT', fallback: 54_320 },
};

/** Every variable that this page defines; children never inherit them. */
export const SETTING_VARIABLES: readonly string[] = [
  'RESOLUTE_DATA_DIR',
  'RESOLUTE_SIMULATOR_CONTRACT',
  ...Object.values(portVariables).map(({ variable }) => variable),
];

/** A relative data directory is taken from the project's root, wherever the command was typed. */
export function readSettings(environment: NodeJS.ProcessEnv, projectRoot: string): Settings {
  const port = (name: PortName): WantedPort => readPort(environment, portVariables[name]);
  return {
    dataDirectory: resolve(projectRoot, present(environment, 'RESOLUTE_DATA_DIR') ?? '.resolute'),
    ports: {
      api: port('api'),
      simulator: port('simulator'),
      temporal: port('temporal'),
      ui: port('ui'),
      database: port('database'),
    },
    simulatorContract: readContract(present(environment, 'RESOLUTE_SIMULATOR_CONTRACT') ?? '{}'),
  };
}

/** One below the highest port that exists, since the simulator takes the next one as well. */
const HIGHEST_PORT = 65_534;

function readPort(
  environment: NodeJS.ProcessEnv,
  { variable, fallback }: PortVariable,
): WantedPort {
  const text = present(environment, variable);
  if (text === undefined) return { variable, port: fallback };
  if (!/^\d{1,5}$/.test(text) || Number(text) > HIGHEST_PORT) {
    throw configurationError(
      `${variable} must be a port number from 0 to ${HIGHEST_PORT}, not "${text}".`,
    );
  }
  return { variable, port: Number(text) };
}

/** Only the outer form is checked here; the simulator knows the members and refuses unknown ones. */
function readContract(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw configurationError(`RESOLUTE_SIMULATOR_CONTRACT is not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw configurationError('RESOLUTE_SIMULATOR_CONTRACT must be a JSON object.');
  }
  return text;
}

/** An empty variable counts as not set, as compose files write it. */
function present(environment: NodeJS.ProcessEnv, variable: string): string | undefined {
  const text = environment[variable]?.trim();
  return text === '' ? undefined : text;
}
