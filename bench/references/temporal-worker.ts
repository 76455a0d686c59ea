/** The worker of a Temporal reference, with the settings that serve our own worker well. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { chargeActivities } from './charge-activities';
import { setting, tellReady } from './serve';

async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const connection = await NativeConnection.connect({ address: setting('TEMPORAL_ADDRESS') });
  const worker = await Worker.create({
    connection,
    taskQueue: setting('BENCH_TASK_QUEUE'),
    workflowBundle: { codePath: setting('BENCH_BUNDLE') },
    activities: chargeActivities(setting('RESOLUTE_SIMULATOR_URL')),
    maxConcurrentWorkflowTaskExecutions: 200,
    maxConcurrentActivityTaskExecutions: 100,
    stickyQueueScheduleToStartTimeout: '1s',
    reuseV8Context: true,
  });
  const running = worker.run();
  tellReady(0);
  await running;
}

void main();
