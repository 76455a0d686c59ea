/**
 * How a settlement is started, by the gateway and by the auditor alike. Starting is idempotent: an
 * open run under the id is joined, a completed one is never repeated, and one that failed or was
 * terminated is followed by a new run. The journal protects the effect, not the id.
 */
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { type SearchAttributePair } from '@temporalio/common';
import { formatMoney } from '../operations/currency';
import { type SettleStart, type Waking } from '../store/settle-start';
import { type FirstSend, type SettleInput } from '../workflows/settle-input';
import {
  INTENT_OPERATION,
  INTENT_PROVIDER,
  INTENT_STATUS,
  INTENT_TENANT,
} from './search-attributes';
import { INTENTS_TASK_QUEUE } from './task-queues';

/** Name of the exported function in `workflows/settle-intent.ts`. */
const SETTLE_WORKFLOW = 'settleIntent';
/** Signal of the same file. */
const JOURNAL_GREW = 'journalGrew';

/** Signal of the same file. */
const INTENT_READ = 'intentRead';

/** A start has no deadline of its own in the SDK, and retries a silent server for half a minute. */
const START_DEADLINE_MS = 2_000;

/** A dead worker's workflow task is given to another one after this time (measured). */
const WORKFLOW_TASK_TIMEOUT = '2s';

/** `completed`: a run under this id completed before, so that nothing was started and nobody was told. */
export type Woken = 'woken' | 'completed';

/**
 * Starts the workflow, or joins the one that is open. Throws where Temporal did not confirm within
 * two seconds; the start may have happened all the same and may be repeated.
 */
export function startSettlement(
  client: Client,
  start: SettleStart,
  firstSend: FirstSend = 'activity',
): Promise<Woken> {
  const options = optionsOf(start, firstSend);
  return unlessCompleted(client, () => client.workflow.start(SETTLE_WORKFLOW, options));
}

/**
 * Starts the workflow like {@link startSettlement}, or tells the open one that the journal has grown:
 * after evidence from outside was committed, and for an intent that seems to have lost its owner. Where
 * there is no news an open run is left alone: each signal is an event of its history.
 */
export function wakeSettlement(client: Client, start: Waking): Promise<Woken> {
  if (start.hasNews === false) return startSettlement(client, start);
  return unlessCompleted(client, () =>
    client.workflow.signalWithStart(SETTLE_WORKFLOW, { ...optionsOf(start), signal: JOURNAL_GREW }),
  );
}

/** Tells the open run that somebody reads its intent. Throws where there is none, or no answer. */
export async function tellOfReader(client: Client, workflowId: string): Promise<void> {
  await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
    client.workflow.getHandle(workflowId).signal(INTENT_READ),
  );
}

async function unlessCompleted(client: Client, start: () => Promise<unknown>): Promise<Woken> {
  try {
    await client.withDeadline(Date.now() + START_DEADLINE_MS, start);
    return 'woken';
  } catch (error) {
    // Its outcome is in the store, unless that was put back to an earlier time (activities/audit.ts).
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'completed';
    throw error;
  }
}

function optionsOf(start: SettleStart, firstSend: FirstSend = 'activity') {
  const input = inputOf(start, firstSend);
  return {
    workflowId: start.workflowId,
    taskQueue: INTENTS_TASK_QUEUE,
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    typedSearchAttributes: searchAttributes(input),
    staticDetails: detailsOf(input),
    staticSummary: `${effectOf(start)} via ${input.provider} for ${input.tenant}`,
  } as const;
}

function inputOf(start: SettleStart, firstSend: FirstSend): SettleInput {
  const { intentId, tenant, operation, provider, contract, policy } = start;
  return {
    intentId,
    tenant,
    operation,
    provider,
    money: moneyOf(start),
    contract,
    policy,
    ...(firstSend === 'local-activity' && { firstSend }),
  };
}

/** `10.00 EUR`; of what draws on another intent `7.00 EUR of <its id>`; null without money. */
function moneyOf({ amount, currency, drawsOn }: SettleStart): string | null {
  if (amount === null || currency === null) return null;
  const money = formatMoney(amount, currency);
  return drawsOn === null ? money : `${money} of ${drawsOn}`;
}

/** The first words that an operator reads: money that goes the other way says so. */
function effectOf(start: SettleStart): string {
  const money = moneyOf(start);
  if (money === null) return start.operation;
  const name = start.operation.split('.').at(-1) ?? start.operation;
  return start.drawsOn === null ? money : `${name} ${money}`;
}

/** What an operator can read of a run while no worker answers; the story itself needs one. */
function detailsOf({ intentId }: SettleInput): string {
  return [
    `Intent \`${intentId}\``,
    '',
    'What happened, what is believed and what may be decided is in *Current Details*, while a worker answers. Without one it is on the gateway:',
    '',
    '```',
    `/desk/intents/${intentId}`,
    '```',
  ].join('\n');
}

function searchAttributes(input: SettleInput): SearchAttributePair[] {
  return [
    { key: INTENT_STATUS, value: 'accepted' },
    { key: INTENT_TENANT, value: input.tenant },
    { key: INTENT_OPERATION, value: input.operation },
    { key: INTENT_PROVIDER, value: input.provider },
  ];
}
