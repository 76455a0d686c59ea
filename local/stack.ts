/**
 * The embedded stack: what is started, in which order, and how it stops again. Independent parts
 * start side by side; everything that is ours waits for the migrations, the worker and the API for
 * Temporal too.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { seedDemo } from '../store/seed';
import { keepCredentials } from './credentials';
import { claimDataDirectory, type Claim } from './instance-lock';
import * as ours from './node-programs';
import { choosePorts } from './ports';
import { postgresProgram } from './postgres-cluster';
import { ensureDatabase } from './postgres-database';
import type { Progress } from './progress';
import { removeReady, writeReady, type Ready } from './ready';
import type { Settings } from './settings';
import { StackPrograms } from './stack-programs';
import { StartError } from './start-error';
import type { Program } from './supervised-program';
import { ensureNamespace, NAMESPACE, temporalProgram } from './temporal-program';
import { findTemporalCli } from './temporal-server';

/** Sends in flight get this long to end (their budget is 2 s by default). */
const DRAIN_MS = 8_500;

/** The servers below have nothing left to do by then. All of it stays within the promised 15 s. */
const CLOSE_MS = 4_000;

export class Stack {
  readonly #settings: Settings;
  readonly #progress: Progress;
  readonly #programs: StackPrograms;
  readonly #interrupted = new AbortController();
  readonly #parts: Promise<void>[] = [];
  #claim: Claim | undefined;
  /** Set while the stack is up: ready.json is written again whenever a pid changes. */
  #publish: (() => void) | undefined;

  /** `onLost` hears of a program that was up and cannot be kept up; then the stack should stop. */
  constructor(settings: Settings, progress: Progress, onLost: (error: Error) => void) {
    this.#settings = settings;
    this.#progress = progress;
    this.#programs = new StackPrograms({
      dataDirectory: settings.dataDirectory,
      progress,
      observer: { pidChanged: () => this.#publish?.(), lost: onLost },
    });
  }

  /** Resolves when every part answers. After a rejection `stop` cleans up. */
  async start(): Promise<Ready> {
    const plan = await this.#prepare();
    await this.#all([
      this.#startDatabase(plan),
      this.#startTemporal(plan),
      this.#startProgram('Provider simulator', () => ours.simulatorProgram(plan)),
    ]);
    await this.#all([
      this.#startProgram('API', () => ours.apiProgram(plan)),
      this.#startProgram('Worker', () => ours.workerProgram(plan)),
    ]);
    this.#signal.throwIfAborted();
    this.#publish = () => writeReady(plan.dataDirectory, this.#describe(plan));
    this.#publish();
    return this.#describe(plan);
  }

  /**
   * First those who send and who accept, with time for what is in flight; then the servers and the
   * provider that they needed until now.
   */
  async stop(): Promise<void> {
    this.#publish = undefined;
    this.#claim?.announceEnd();
    this.#interrupted.abort(new StartError('The start was interrupted.'));
    await this.#programs.stop(['api', 'worker'], DRAIN_MS);
    await this.#programs.stop(['temporal', 'postgres', 'simulator'], CLOSE_MS);
    await Promise.allSettled(this.#parts);
    if (this.#claim === undefined) return;
    removeReady(this.#settings.dataDirectory);
    this.#programs.forgetAll();
    this.#claim.release();
  }

  /** Fails as soon as one part does; `stop` waits for the others to give up. */
  async #all(parts: Promise<void>[]): Promise<void> {
    this.#parts.push(...parts);
    await Promise.all(parts);
  }

  get #signal(): AbortSignal {
    return this.#interrupted.signal;
  }

  async #prepare(): Promise<ours.Plan> {
    const { dataDirectory, simulatorContract } = this.#settings;
    mkdirSync(dataDirectory, { recursive: true });
    this.#claim = await claimDataDirectory(dataDirectory, this.#signal);
    this.#progress.line(pc.bold('Starting Resolute'));
    removeReady(dataDirectory);
    await this.#programs.endLeftovers();
    const ports = await this.#choosePorts();
    return { dataDirectory, simulatorContract, ports, credentials: keepCredentials(dataDirectory) };
  }

  async #choosePorts(): Promise<ours.Plan['ports']> {
    const wanted = this.#settings.ports;
    const { port, variable } = wanted.simulator;
    const admin = { variable, port: port === 0 ? 0 : port + 1, purpose: 'its administration' };
    const named = { ...wanted, simulatorAdmin: admin };
    const names = Object.keys(named) as (keyof typeof named)[];
    const ports = await choosePorts(names.map((name) => named[name]));
    // Every name has its port: both lists have one order.
    return Object.fromEntries(
      names.map((name, index) => [name, ports[index]]),
    ) as ours.Plan['ports'];
  }

  async #startDatabase(plan: ours.Plan): Promise<void> {
    const { passwords } = plan.credentials;
    const cluster = {
      directory: join(plan.dataDirectory, 'postgres'),
      port: plan.ports.database,
      password: passwords.postgres,
    };
    await this.#startProgram('PostgreSQL', () => postgresProgram(cluster, this.#signal));
    await this.#progress.step('Database schema and demo data', async () => {
      await ensureDatabase(cluster, passwords.owner);
      await this.#programs.runOnce('migrate', ours.migrateCommand(plan), this.#signal);
      await seedDemo(ours.ownerUrl(plan), plan.credentials);
    });
  }

  async #startTemporal(plan: ours.Plan): Promise<void> {
    const server = {
      cli: await findTemporalCli({
        cacheDirectory: join(plan.dataDirectory, 'cache'),
        signal: this.#signal,
        report: (line) => this.#progress.line(`  ${line}`),
      }),
      databaseFile: join(plan.dataDirectory, 'temporal', 'temporal.db'),
      port: plan.ports.temporal,
      uiPort: plan.ports.ui,
    };
    await this.#startProgram('Temporal', () => temporalProgram(server));
    await ensureNamespace(server, this.#signal);
  }

  #startProgram(title: string, make: () => Program | Promise<Program>): Promise<void> {
    return this.#progress.step(title, async () => {
      await this.#programs.start(await make(), this.#signal);
    });
  }

  #describe(plan: ours.Plan): Ready {
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
        api: this.#programs.pidOf('api'),
        worker: this.#programs.pidOf('worker'),
        temporal: this.#programs.pidOf('temporal'),
        postgres: this.#programs.pidOf('postgres'),
        simulator: this.#programs.pidOf('simulator'),
      },
    };
  }
}
