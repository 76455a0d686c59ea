/**
 * A database and a Temporal namespace of its own, on the shared stack's real servers: a suite starts
 * and kills its own worker processes there, and nobody else takes its tasks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { type CrashPoint } from '../../activities/dependencies';
import { type ProviderContract } from '../../domain/contract';
import { startSettlement } from '../../orchestration/start-settlement';
import { simulatorContracts, type SimulatorProvider } from '../../providers/simulator/contracts';
import { type IntentRow } from '../../store/intent-row';
import { readIntent } from '../../store/read-intents';
import { recordIntent } from '../../store/record-intent';
import { type FirstSend } from '../../workflows/settle-input';
import { endsTheWait } from '../../domain/status';
import { freshDatabase, type FreshDatabase, newIntent } from './fresh-database';
import { QUICK_CONTRACTS } from './quick-contracts';
import { sharedStack } from './shared-stack';
import { simulatorClient } from './simulator-client';
import { until } from './until';
import { own } from './own-child';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_DATETIME } =
  temporal.api.enums.v1.IndexedValueType;
const CONTRACTS = simulatorContracts(JSON.stringify(QUICK_CONTRACTS));

/** A recorded and started intent. */
export interface StartedIntent {
  readonly id: string;
  readonly workflowId: string;
  /** The payer's instrument, unique: faults and ledger are found by it. */
  readonly source: string;
}

/** A worker process of this world. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** The signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when the whole process is stopped. */
  untilFrozen(): Promise<void>;
  thaw(): void;
}

export type World = Awaited<ReturnType<typeof freshWorld>>;

/** Plays in a world of its own, which ends with it. */
export async function inWorld(play: (world: World) => Promise<void>): Promise<void> {
  const world = await freshWorld();
  try {
    await play(world);
  } finally {
    await world.close();
  }
}

/** Creates it, at another Temporal server if one is given; `close` kills the workers that are left. */
export async function freshWorld({ temporalAddress }: { readonly temporalAddress?: string } = {}) {
  const { ready } = sharedStack();
  const address = temporalAddress ?? ready.temporal.address;
  const database = await freshDatabase();
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address });
  await createNamespace(connection, namespace);
  const client = new Client({ connection, namespace });
  const simulator = simulatorClient(ready.simulator_admin);
  const workers = new Set<WorkerProcess>();

  return {
    database,
    client,
    namespace,
    connection,
    simulator,
    /** Records an intent and starts its workflow, as the gateway does. */
    async start(provider: SimulatorProvider, more: More = {}): Promise<StartedIntent> {
      const recorded = await record(database, provider, more);
      await startSettlement(client, { ...recorded, intentId: recorded.id }, more.firstSend);
      return recorded;
    },
    /** Records an intent whose start never reached Temporal. */
    record: (provider: SimulatorProvider, more: More = {}) => record(database, provider, more),
    /** `temporal`: an address other than the server's own. */
    async worker(
      dieAt?: CrashPoint,
      freezeAt?: CrashPoint,
      temporal = address,
    ): Promise<WorkerProcess> {
      const worker = await spawnWorker({ database, namespace, address: temporal, dieAt, freezeAt });
      workers.add(worker);
      return worker;
    },
    read: (id: string) => read(database, id),
    untilEnded: (id: string) =>
      until(`intent ${id} ends`, async () => {
        const intent = await read(database, id);
        return endsTheWait(intent.status) ? intent : undefined;
      }),
    async close(): Promise<void> {
      await Promise.all([...workers].map((worker) => worker.kill('SIGKILL')));
      await connection.close();
      await database.close();
    },
  };
}

async function createNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: {
      IntentStatus: INDEXED_VALUE_TYPE_KEYWORD,
      IntentTenant: INDEXED_VALUE_TYPE_KEYWORD,
      IntentOperation: INDEXED_VALUE_TYPE_KEYWORD,
      IntentProvider: INDEXED_VALUE_TYPE_KEYWORD,
      IntentAttention: INDEXED_VALUE_TYPE_KEYWORD,
      IntentUnknownSince: INDEXED_VALUE_TYPE_DATETIME,
    },
  });
}

/** What a test may want to be different. */
interface More {
  readonly source?: string;
  readonly patienceMs?: number;
  /** Changes of the provider's contract. */
  readonly contract?: Partial<ProviderContract>;
  /** Pauses between look-ups. */
  readonly scheduleMs?: readonly number[];
  readonly firstSend?: FirstSend;
  /** Above it a decision takes two. */
  readonly approvalThreshold?: number;
}

async function record(
  database: FreshDatabase,
  provider: SimulatorProvider,
  { source = randomBytes(6).toString('hex'), ...more }: More,
): Promise<StartedIntent & IntentRow> {
  const params = { amount: 1000, currency: 'EUR', source, reference: source };
  const policy = { attemptCap: 3, approvalThreshold: more.approvalThreshold ?? null };
  const contract = contractOf(provider, more);
  const wanted = newIntent({ params, provider, contract, policy });
  const { intent } = await recordIntent(database.api, wanted);
  return { ...intent, source };
}

function contractOf(
  provider: SimulatorProvider,
  { patienceMs, scheduleMs, contract: changes }: More,
): ProviderContract {
  const contract = CONTRACTS[provider];
  const { lookUp } = contract;
  return {
    ...contract,
    ...(patienceMs !== undefined && { patienceMs }),
    ...(scheduleMs !== undefined && lookUp !== null && { lookUp: { ...lookUp, scheduleMs } }),
    ...changes,
  };
}

async function read(database: FreshDatabase, id: string): Promise<IntentRow> {
  const intent = await readIntent(database.owner, id, 'every-tenant');
  if (intent === null) throw new Error(`intent ${id} is gone`);
  return intent;
}

interface Spawn {
  readonly database: FreshDatabase;
  /** Of Temporal. */
  readonly address: string;
  readonly namespace: string;
  readonly dieAt: CrashPoint | undefined;
  readonly freezeAt: CrashPoint | undefined;
}

async function spawnWorker({ database, address, namespace, ...at }: Spawn): Promise<WorkerProcess> {
  const { ready } = sharedStack();
  const child = own(
    spawn(process.execPath, [join(__dirname, 'dying-worker.cjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: database.workerUrl,
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        RESOLUTE_SIMULATOR_URL: ready.simulator,
        RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(QUICK_CONTRACTS),
        DIE_AT: at.dieAt ?? '',
        FREEZE_AT: at.freezeAt ?? '',
      },
    }),
  );
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('worker ready')) resolve();
    });
    child.once('exit', () => reject(new Error('the worker ended before it was ready')));
  });
  return {
    child,
    ended,
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
    },
    async untilFrozen() {
      await until('the worker is frozen', async () =>
        (await isStopped(child)) ? true : undefined,
      );
    },
    thaw: () => child.kill('SIGCONT'),
  };
}

/** State T of /proc: no thread of it runs. */
async function isStopped({ pid }: ChildProcess): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return /^State:\s+T/m.test(status);
}
