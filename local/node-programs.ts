/** Our own programs, as the supervisor runs them: one spec each, configured by environment only. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './child';
import type { Credentials } from './credentials';
import { quietEnvironment } from './environment';
import { appearsInLog } from './log-file';
import { LOOPBACK } from './ports';
import { databaseUrl, OWNER_ROLE } from './postgres-database';
import { DIST } from './project-root';
import type { PortName } from './settings';
import type { Program, ProcessName } from './supervised-program';
import { NAMESPACE } from './temporal-program';

/** Everything about this start that the programs are told. */
export interface Plan {
  readonly dataDirectory: string;
  readonly ports: Readonly<Record<PortName | 'simulatorAdmin', number>>;
  readonly credentials: Credentials;
  readonly simulatorContract: string;
}

export function httpUrl(port: number): string {
  return `http://${LOOPBACK}:${port}`;
}

export function deskUrl({ ports }: Plan): string {
  return `${httpUrl(ports.ui)}/namespaces/${NAMESPACE}/workflows`;
}

export function temporalAddress({ ports }: Plan): string {
  return `${LOOPBACK}:${ports.temporal}`;
}

export function ownerUrl({ credentials, ports }: Plan): string {
  return databaseUrl(OWNER_ROLE, credentials.passwords.owner, ports.database);
}

/** Runs once at every start, before anything of ours touches the database. */
export function migrateCommand(plan: Plan): Command {
  return nodeCommand('store/migrate.js', {
    DATABASE_URL: ownerUrl(plan),
    RESOLUTE_API_PASSWORD: plan.credentials.passwords.api,
    RESOLUTE_WORKER_PASSWORD: plan.credentials.passwords.worker,
  });
}

export function simulatorProgram(plan: Plan): Program {
  const directory = join(plan.dataDirectory, 'simulator');
  mkdirSync(directory, { recursive: true });
  const command = nodeCommand('simulator/main.js', {
    HOST: LOOPBACK,
    PORT: String(plan.ports.simulator),
    RESOLUTE_SIMULATOR_ADMIN_PORT: String(plan.ports.simulatorAdmin),
    RESOLUTE_SIMULATOR_DATA_DIR: directory,
    RESOLUTE_SIMULATOR_CONTRACT: plan.simulatorContract,
    RESOLUTE_SIMULATOR_SIGNING_SECRET: plan.credentials.signingSecret,
    RESOLUTE_API_URL: httpUrl(plan.ports.api),
  });
  return readyByLog('simulator', command, '"msg":"listening"');
}

export function apiProgram(plan: Plan): Program {
  return {
    name: 'api',
    command: nodeCommand('api/main.js', {
      ...connections(plan),
      HOST: LOOPBACK,
      PORT: String(plan.ports.api),
      DATABASE_URL: databaseUrl(
        'resolute_api',
        plan.credentials.passwords.api,
        plan.ports.database,
      ),
      RESOLUTE_DESK_URL: deskUrl(plan),
      RESOLUTE_SIMULATOR_SIGNING_SECRET: plan.credentials.signingSecret,
      RESOLUTE_KEY_DIGEST_SECRET: plan.credentials.keyDigestSecret,
    }),
    stopSignal: 'SIGTERM',
    untilReady: (_child, life) => untilHttpReady(`${httpUrl(plan.ports.api)}/readyz`, life),
  };
}

export function workerProgram(plan: Plan): Program {
  const { passwords } = plan.credentials;
  const command = nodeCommand('workers/main.js', {
    ...connections(plan),
    DATABASE_URL: databaseUrl('resolute_worker', passwords.worker, plan.ports.database),
  });
  return readyByLog('worker', command, '"msg":"worker ready"');
}

function connections(plan: Plan): Record<string, string> {
  return {
    TEMPORAL_ADDRESS: temporalAddress(plan),
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_CONFIG_FILE: writeTemporalProfile(plan),
    RESOLUTE_SIMULATOR_URL: httpUrl(plan.ports.simulator),
    RESOLUTE_SIMULATOR_CONTRACT: plan.simulatorContract,
  };
}

/**
 * A profile of our own, so that what a person keeps in the default one for another server (an API
 * key, TLS) does not reach our processes.
 */
function writeTemporalProfile(plan: Plan): string {
  const path = join(plan.dataDirectory, 'temporal', 'client.toml');
  mkdirSync(join(plan.dataDirectory, 'temporal'), { recursive: true });
  const address = JSON.stringify(temporalAddress(plan));
  writeFileSync(path, `[profile.default]\naddress = ${address}\nnamespace = "${NAMESPACE}"\n`);
  return path;
}

function nodeCommand(script: string, environment: Readonly<Record<string, string>>): Command {
  return {
    file: process.execPath,
    args: [join(DIST, script)],
    environment: quietEnvironment(environment),
  };
}

function readyByLog(name: ProcessName, command: Command, text: string): Program {
  return {
    name,
    command,
    stopSignal: 'SIGTERM',
    untilReady: (child, life) => appearsInLog(child.log, text, life),
  };
}

async function untilHttpReady(url: string, life: AbortSignal): Promise<void> {
  while (!(await answersWell(url, life))) await delay(30, undefined, { signal: life });
}

async function answersWell(url: string, life: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([life, AbortSignal.timeout(5_000)]);
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Refused, reset or too slow: not ready yet; an abort ends the loop at its next pause.
    return false;
  }
}
