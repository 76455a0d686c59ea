/**
 * Every golden history replays on the present code, asks for the same activities with the same
 * arguments, and ends with the same result. No server is needed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { type temporal } from '@temporalio/proto';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { type CommandSinks } from './commands-interceptor';
import { type Command, recordedCommands } from './recorded-commands';

const FOLDER = join(__dirname, 'histories', 'settle-intent');
const CASES = readdirSync(FOLDER).flatMap((release) =>
  readdirSync(join(FOLDER, release)).map((file) => `${release}/${file.replace('.json', '')}`),
);

let workflowBundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  // The SDK's own lines would drown the result.
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'off', forward: {} } },
  });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('../../workflows'),
    workflowInterceptorModules: [require.resolve('./commands-interceptor')],
    logger: new DefaultLogger('ERROR'),
  });
});

type History = temporal.api.history.v1.IHistory;

function load(name: string): History {
  return historyFromJSON(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
}

function workflowIdOf(history: History): string {
  return history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? '';
}

/** Replays and returns what the present code asked for. Throws where it departs from the history. */
async function replay(history: History): Promise<readonly Command[]> {
  const asked: Command[] = [];
  const sinks: InjectedSinks<CommandSinks> = {
    commands: {
      report: {
        fn: (_info, _workflowId, command) => void asked.push(JSON.parse(command) as Command),
        callDuringReplay: true,
      },
    },
  };
  await Worker.runReplayHistory({ workflowBundle, sinks }, history, workflowIdOf(history));
  return asked;
}

it('holds a history of every branch', () => {
  const names = CASES.map((name) => name.split('/')[1]);
  for (const branch of [
    'happy',
    'decline',
    'lost-answer-found',
    'lost-answer-absent-sent-again',
    'pending-then-succeeded',
    'in-review-open',
  ]) {
    expect(names).toContain(branch);
  }
});

describe.each(CASES)('%s', (name) => {
  it('replays, with the same activities, arguments and result', async () => {
    const history = load(name);
    const recorded = recordedCommands(history);
    expect(recorded.length).toBeGreaterThan(0);
    expect(await replay(history)).toEqual(recorded);
  });
});

describe('negative controls', () => {
  it('a history with another activity name fails', async () => {
    const history = load(CASES.find((name) => name.endsWith('/happy')) ?? '');
    for (const event of history.events ?? []) {
      const type = event.activityTaskScheduledEventAttributes?.activityType;
      if (type) type.name = 'sendTwice';
    }
    await expect(replay(history)).rejects.toThrow(DeterminismViolationError);
  });

  it('a history with another argument replays, and is caught by the comparison', async () => {
    const history = load(CASES.find((name) => name.endsWith('/happy')) ?? '');
    for (const event of history.events ?? []) {
      const payload = event.activityTaskScheduledEventAttributes?.input?.payloads?.[0];
      if (payload?.data) {
        const changed = Buffer.from(payload.data).toString().replace('"number":1', '"number":2');
        payload.data = Buffer.from(changed);
      }
    }
    const asked = await replay(history);
    expect(asked).not.toEqual(recordedCommands(history));
  });
});
