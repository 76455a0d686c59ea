/**
 * Replays one history on workflow code and says whether a run like it would survive that code: it must
 * ask for the same commands, which Temporal checks, and for the same activities with the same
 * arguments, and end with the same result, which Temporal does not.
 */
import { isDeepStrictEqual } from 'node:util';
import { type temporal } from '@temporalio/proto';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { type CommandSinks } from './commands-interceptor';
import { type Command, isAtRest, onOwnQueue, recordedCommands } from './recorded-commands';

export type History = temporal.api.history.v1.IHistory;

/** What the code makes of a history; `how` names the first departure in one line. */
export type ReplayVerdict =
  { readonly kind: 'survives' } | { readonly kind: 'breaks'; readonly how: string };

/** Bundles the workflows below `workflowsPath` (a module; this tree's own by default) for replays. */
export async function bundleForReplay(
  workflowsPath: string = require.resolve('../workflows'),
): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    // Those of production first: what they do is replayed like the rest.
    workflowInterceptorModules: [
      require.resolve('../workflows/carry-trace'),
      require.resolve('./commands-interceptor'),
    ],
    logger: new DefaultLogger('ERROR'),
  });
}

/** The SDK's own lines would drown the result. Once a process, before the first replay. */
export function silenceReplays(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'off', forward: {} } },
  });
}

/** Replays `history` on the bundled code. */
export async function replayHistory(
  workflowBundle: WorkflowBundleWithSourceMap,
  history: History,
): Promise<ReplayVerdict> {
  const asked: Command[] = [];
  const sinks: InjectedSinks<CommandSinks> = {
    commands: {
      report: {
        fn: (_info, _workflowId, command) => void asked.push(JSON.parse(command) as Command),
        callDuringReplay: true,
      },
    },
  };
  try {
    await Worker.runReplayHistory({ workflowBundle, sinks }, history, workflowIdOf(history));
  } catch (error) {
    return { kind: 'breaks', how: firstLine(error) };
  }
  return compare(recordedCommands(history), onOwnQueue(history, asked), isAtRest(history));
}

/**
 * A run that was fetched while a workflow task was under way asks, in a replay, for what that task will
 * ask for: those commands are not in its history yet and are no departure.
 */
function compare(
  recorded: readonly Command[],
  asked: readonly Command[],
  whole: boolean,
): ReplayVerdict {
  const length = whole ? Math.max(recorded.length, asked.length) : recorded.length;
  for (let index = 0; index < length; index += 1) {
    const [was, is] = [recorded[index], asked[index]];
    if (!isDeepStrictEqual(was, is)) {
      return { kind: 'breaks', how: `command ${index + 1} was ${say(was)}, is ${say(is)}` };
    }
  }
  return { kind: 'survives' };
}

function say(command: Command | undefined): string {
  return command === undefined ? 'nothing' : JSON.stringify(command);
}

function workflowIdOf(history: History): string {
  return history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? '';
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n', 1)[0] ?? text;
}
