/**
 * The embedded stack: what is started, in which order, and how it stops again. Independent parts
 * start side by side; everything that is ours waits for the migrations, the worker and the API for
 * Temporal too.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { Child, describeExit, type Command } from './child';
import { keepCredentials } from './credentials';
import { claimDataDirectory, type Claim } from './instance-lock';
import { lastLines, rotateLog } from './log-file';
import * as ours from './node-programs';
import { choosePorts } from './ports';
import { postgresProgram } from './postgres-cluster';
import { ensureDatabase } from './postgres-database';
import { ProcessRegistry } from './process-registry';
import type { Progress } from './progress';
import { removeReady, writeReady, type Ready } from './ready';

import type { Settings } from './settings';
import { StartError } from './start-error';
import { SupervisedProgram, type Program, type ProcessName } from './supervised-program';
import { seedDemo } from '../store/seed';
import { ensureNamespace, NAMESPACE, temporalProgram } from './temporal-program';
import { findTemporalCli } from './temporal-server';

/** Sends in flight get this long to end (their budget is 2 s by default). */
const DRAIN_MS = 8_500;

/** The servers below have nothing left to do by then. All of it stays within the promised 15 s. */
const CLOSE_MS = 4_000;

const READY_WITHIN_MS = 90_000;

export class Stack {
  readonly #settings: Settings;
  readonly #progress: Progress;
  readonly #registry: ProcessRegistry;
  readonly #programs = new Map<ProcessName, SupervisedProgram>();
  readonly #aborting = new AbortController();
  readonly #onRefused: (error: StartError) => void;
  #claim: Claim | undefined;
  #plan: ours.Plan | undefined;
  #isUp = false;

  /** `onRefused` hears of a program that cannot go on although the stack was up. */
  constructor(settings: Settings, progress: Progress, onRefused: (error: StartError) => void) {
    this.#settings = settings;
    this.#progress = progress;
    this.#onRefused = onRefused;
    this.#registry = new ProcessRegistry(settings.dataDirectory);
  }

  /** Resolves when every part answers. After a rejection `stop` cleans up. */
  async start(): Promise<Ready> {
    const plan = await this.#prepare();
    this.#plan = plan;
    await Promise.all([
      this.#startDatabase(plan),
      this.#startTemporal(plan),
      this.#startProgram('Provider simulator', () => ours.simulatorProgram(plan)),
    ]);
    await Promise.all([
      this.#startProgram('API', () => ours.apiProgram(plan)),
      this.#startProgram('Worker', () => ours.workerProgram(plan)),
    ]);
    this.#aborting.signal.throwIfAborted();
    this.#isUp = true;
    const ready = this.#describe(plan);
    writeReady(plan.dataDirectory, ready);
    return ready;
  }

  /**
   * First those who send and who accept, with time for what is in flight; then the servers and the
   * provider that they needed until now.
   */
  async stop(): Promise<void> {
    this.#isUp = false;
    this.#claim?.announceEnd();
    this.#aborting.abort(new StartError('The start was interrupted.'));
    await this.#stopPrograms(['api', 'worker'], DRAIN_MS);
    await this.#stopPrograms(['temporal', 'postgres', 'simulator'], CLOSE_MS);
    if (this.#claim === undefined) return;
    removeReady(this.#settings.dataDirectory);
    this.#registry.clear();
    this.#claim.release();
  }

  async #prepare(): Promise<ours.Plan> {
    const { dataDirectory, ports, simulatorContract } = this.#settings;
    mkdirSync(dataDirectory, { recursive: true });
    this.#claim = await claimDataDirectory(dataDirectory, this.#aborting.signal);
    this.#progress.line(pc.bold('Starting Resolute'));
    removeReady(dataDirectory);
    const left = await this.#registry.endLeftovers();
    if (left.length > 0) {
      this.#progress.line(`  Ended what an earlier start had left running: ${left.join(', ')}`);
    }
    const { port, variable } = ports.simulator;
    const admin = { variable, port: port === 0 ? 0 : port + 1, purpose: 'its administration' };
    const [api = 0, simulator = 0, temporal = 0, ui = 0, database = 0, simulatorAdmin = 0] =
      await choosePorts([
        ...[ports.api, ports.simulator, ports.temporal, ports.ui, ports.database],
        admin,
      ]);
    return {
      dataDirectory,
      simulatorContract,
      ports: { api, simulator, temporal, ui, database, simulatorAdmin },
      credentials: keepCredentials(dataDirectory),
    };
  }

  async #startDatabase(plan: ours.Plan): Promise<void> {
    const { passwords } = plan.credentials;
    const cluster = {
      directory: join(plan.dataDirectory, 'postgres'),
      port: plan.ports.database,
      password: passwords.postgres,
    };
    await this.#startProgram('PostgreSQL', () => postgresProgram(cluster, this.#aborting.signal));
    await this.#progress.step('Database schema and demo data', async () => {
      await ensureDatabase(cluster, passwords.owner);
      await this.#runOnce('migrate', ours.migrateCommand(plan));
      await seedDemo(ours.ownerUrl(plan), plan.credentials);
    });
  }

  async #startTemporal(plan: ours.Plan): Promise<void> {
    const signal = this.#aborting.signal;
    const server = {
      cli: await findTemporalCli({
        cacheDirectory: join(plan.dataDirectory, 'cache'),
        signal,
        report: (line) => this.#progress.line(`  ${line}`),
      }),
      databaseFile: join(plan.dataDirectory, 'temporal', 'temporal.db'),
      port: plan.ports.temporal,
      uiPort: plan.ports.ui,
    };
    await this.#startProgram('Temporal', () => temporalProgram(server));
    await ensureNamespace(server, signal);
  }

  async #startProgram(title: string, make: () => Program | Promise<Program>): Promise<void> {
    await this.#progress.step(title, async () => {
      const program = await make();
      this.#aborting.signal.throwIfAborted();
      const log = this.#logPath(program.name);
      rotateLog(log);
      const supervised = new SupervisedProgram(program, log, {
        spawned: (name, pid) => this.#spawned(name, pid),
        restarting: (line) => this.#progress.problem(line),
        refused: this.#onRefused,
      });
      this.#programs.set(program.name, supervised);
      await within(
        READY_WITHIN_MS,
        `${title} was not ready in time (log: ${log})`,
        supervised.start(),
      );
    });
  }

  /** A program that runs to its end and must succeed. */
  async #runOnce(name: string, command: Command): Promise<void> {
    const log = this.#logPath(name);
    rotateLog(log);
    const child = new Child(command, log);
    if (child.pid !== undefined) this.#registry.record(name, child.pid);
    const onAbort = (): void => void child.stop('SIGTERM', CLOSE_MS);
    this.#aborting.signal.addEventListener('abort', onAbort);
    const exit = await child.exit;
    this.#aborting.signal.removeEventListener('abort', onAbort);
    this.#registry.forget(name);
    this.#aborting.signal.throwIfAborted();
    if (exit.code === 0) return;
    const said = lastLines(child.log, 3).join('\n');
    throw new StartError(`${name} ${describeExit(exit)} (log: ${log}): ${said}`);
  }

  #spawned(name: ProcessName, pid: number): void {
    this.#registry.record(name, pid);
    if (this.#isUp && this.#plan !== undefined) {
      writeReady(this.#plan.dataDirectory, this.#describe(this.#plan));
    }
  }

  async #stopPrograms(names: readonly ProcessName[], boundMs: number): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const clean = (await this.#programs.get(name)?.stop(boundMs)) ?? true;
        if (!clean) this.#progress.problem(`${name} did not stop in time and was killed.`);
      }),
    );
  }

  #describe(plan: ours.Plan): Ready {
    const pidOf = (name: ProcessName): number => this.#programs.get(name)?.pid ?? 0;
    const { tenants, operators } = plan.credentials;
    return {
      api: ours.httpUrl(plan.ports.api),
      desk: ours.deskUrl(plan),
      temporal: { address: ours.temporalAddress(plan), namespace: NAMESPACE },
      database: ours.ownerUrl(plan),
      simulator: ours.httpUrl(plan.ports.simulator),
      simulator_admin: ours.httpUrl(plan.ports.simulatorAdmin),
      tenants,
      operators,
      pids: {
        supervisor: process.pid,
        api: pidOf('api'),
        worker: pidOf('worker'),
        temporal: pidOf('temporal'),
        postgres: pidOf('postgres'),
        simulator: pidOf('simulator'),
      },
    };
  }

  #logPath(name: string): string {
    return join(this.#settings.dataDirectory, 'logs', `${name}.log`);
  }
}

function within<T>(boundMs: number, message: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StartError(message)), boundMs);
    const done = (): void => clearTimeout(timer);
    work.then(resolve, reject).finally(done);
  });
}
