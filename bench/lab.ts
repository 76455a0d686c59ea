/**
 * Everything that a run needs: one stack, the references beside it on the same PostgreSQL, Temporal
 * server and provider, and the load process. Each reference has processes of its own, as we do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { readReady, startStack, type Ready, type RunningStack } from '../local/ready';
import { startLoad, type LoadProcess, type Target } from './load-process';
import { startReference, type ReferenceProcess } from './reference-process';
import { startSecondGateway } from './second-gateway';
import { type ProcessName, type SystemName } from './words';

/** One system under load. */
export interface System {
  readonly name: SystemName;
  readonly target: Target;
  /** Its processes and the shared ones, as of now; a process that it does not have is absent. */
  readonly pids: () => Partial<Readonly<Record<ProcessName, number>>>;
}

export interface Lab {
  readonly ready: Ready;
  readonly dataDirectory: string;
  readonly systems: readonly System[];
  readonly load: LoadProcess;
  readonly close: () => Promise<void>;
}

/** Starts it all; what was started is ended again when something fails. */
export async function openLab(options: { readonly keep: boolean }): Promise<Lab> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-bench-'));
  const ending: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end();
    if (!options.keep) rmSync(dataDirectory, { recursive: true, force: true });
  };
  try {
    const stack = await startStack({ dataDirectory });
    ending.push(stack.stop);
    const load = startLoad();
    ending.push(load.stop);
    const start: typeof startReference = async (script, environment) => {
      const reference = await startReference(script, environment);
      ending.push(reference.stop);
      return reference;
    };
    const second = await startSecondGateway(stack);
    ending.push(second.stop);
    const own = [resolute(stack), resoluteLocal(stack, second)];
    const systems = [...own, ...(await startReferences(stack, start))];
    return { ready: stack.ready, dataDirectory, systems, load, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function resolute({ ready, dataDirectory }: RunningStack): System {
  return {
    name: 'resolute',
    target: {
      origin: ready.api,
      path: '/v1/intents/payment.charge',
      // At most one answer a request: a busy machine must not turn an outcome into a 202.
      headers: { authorization: `Bearer ${ready.tenants.acme.token}`, prefer: 'wait=60' },
    },
    pids: () => {
      const { api, worker, ...rest } = (readReady(dataDirectory) ?? ready).pids;
      return { ...sharedPids(rest), server: api, worker };
    },
  };
}

/** The same behind another gateway. */
function resoluteLocal(stack: RunningStack, { port, pid }: ReferenceProcess): System {
  const { target, pids } = resolute(stack);
  return {
    name: 'resolute-local',
    target: { ...target, origin: `http://127.0.0.1:${port}` },
    pids: () => ({ ...pids(), server: pid }),
  };
}

type Start = typeof startReference;

async function startReferences(stack: RunningStack, start: Start): Promise<readonly System[]> {
  const { ready } = stack;
  const provider = { RESOLUTE_SIMULATOR_URL: ready.simulator };
  const bundle = await bundleReferences(stack.dataDirectory);
  const table = await start('table-server', { ...provider, DATABASE_URL: ready.database });
  const onTemporal = async (workflow: 'naive' | 'empty'): Promise<System> => {
    const settings = {
      ...provider,
      TEMPORAL_ADDRESS: ready.temporal.address,
      BENCH_WORKFLOW: workflow,
      BENCH_TASK_QUEUE: `bench-${workflow}`,
      BENCH_BUNDLE: bundle,
    };
    const worker = await start('temporal-worker', settings);
    const server = await start('temporal-server', settings);
    return reference(`${workflow}-temporal`, ready, { server, worker });
  };
  return [
    reference('table', ready, { server: table }),
    await onTemporal('naive'),
    await onTemporal('empty'),
  ];
}

function reference(
  name: SystemName,
  { pids }: Ready,
  own: { readonly server: ReferenceProcess; readonly worker?: ReferenceProcess },
): System {
  const worker = own.worker === undefined ? {} : { worker: own.worker.pid };
  return {
    name,
    target: { origin: `http://127.0.0.1:${own.server.port}`, path: '/charges', headers: {} },
    pids: () => ({ ...sharedPids(pids), server: own.server.pid, ...worker }),
  };
}

function sharedPids(pids: Pick<Ready['pids'], 'temporal' | 'postgres' | 'simulator'>) {
  return { temporal: pids.temporal, postgres: pids.postgres, provider: pids.simulator };
}

async function bundleReferences(dataDirectory: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('./references/workflows'),
    logger: new DefaultLogger('WARN'),
  });
  const path = join(dataDirectory, 'bench-workflows.js');
  writeFileSync(path, code);
  return path;
}
