/**
 * The one workflow: a loop over the decision rules until the outcome is proven. Its state is the
 * journal, whose truth is in PostgreSQL; whatever happens to a run (reset, terminate, restart, a
 * second one beside it), the next activity reads the journal under the row lock and sends nothing
 * that the rules do not allow. A cancellation request of the Web UI does not end the loop: an effect
 * under way cannot be wished away, so it is recorded as a cancel and the rules decide.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type Journal } from '../domain/journal';
import { mayAskForReader } from '../domain/reader';
import { type Standing } from '../domain/standing';
import { isFinal, type Outcome } from '../domain/status';
import { createDeskTexts } from './desk-texts';
import { registerUpdates } from './desk-updates';
import { databaseTime, known, type KnownJournal } from './known-journal';
import { newRun, type Run, situationOf, standingOf } from './run';
import { type SettleActivities, settleActivities } from './settle-activities';
import { type SettleInput } from './settle-input';

/** The journal as this run knows it. */
const journalQuery = defineQuery<Journal>('journal');

/** "The journal has grown, look again": sent after evidence from outside was committed. */
const journalGrew = defineSignal('journalGrew');

/** "Somebody read the intent while it was in doubt": sent by the gateway, maybe lost, maybe often. */
const intentReadSignal = defineSignal('intentRead');

/** What is known of whoever presses that button of the Web UI. */
const UNKNOWN_OPERATOR = 'unknown operator (Request Cancellation)';

/** Settles one intent; completes only with its proven outcome. */
export async function settleIntent(input: SettleInput): Promise<{ outcome: Outcome }> {
  const run = newRun();
  const activities = settleActivities(input);
  setHandler(journalQuery, () => run.last.journal);
  setHandler(journalGrew, () => {
    run.grew = true;
  });
  setHandler(intentReadSignal, () => {
    // Checked here, so that a reader who comes too early costs the run no timer.
    run.wasRead ||= mayAskForReader(situationOf(input, run), standingOf(input, run));
  });
  registerUpdates({ input, run, activities });
  heedCancelRequests(run, activities);
  const desk = createDeskTexts(input, run);

  return CancellationScope.nonCancellable(async () => {
    for (;;) {
      const next = standingOf(input, run);
      desk.show(next);
      if (isFinal(run.last.journal.status)) {
        if (!isAnswered(run)) await condition(() => isAnswered(run));
        return { outcome: run.last.journal.status };
      }
      if (workflowInfo().continueAsNewSuggested) {
        if (!isAnswered(run)) await condition(() => isAnswered(run));
        // An operator may have been promised a question; the next run would not know of it.
        if (!run.askNow) await continueAsNew<typeof settleIntent>(input);
      }
      run.last = await take(next, { activities, run, summary: desk.timer(next) });
    }
  });
}

/**
 * Whoever sent an update is answered before the run closes. Asked before it is waited for: each promise of
 * a run costs the worker a stack trace, and mostly there is nobody.
 */
function isAnswered(run: Run): boolean {
  return allHandlersFinished() && run.recording === 0;
}

/**
 * *Request Cancellation* is a cancel by somebody unknown: recorded like any other, while the loop goes
 * on. Runs of earlier releases ignored it, and replay so.
 */
function heedCancelRequests(run: Run, activities: SettleActivities): void {
  CancellationScope.current().cancelRequested.catch(async () => {
    if (!patched('request-cancellation-is-a-cancel')) return;
    run.recording += 1;
    try {
      await activities.cancel(UNKNOWN_OPERATOR);
    } finally {
      // A run whose cancel could not be recorded must still be able to close.
      run.recording -= 1;
    }
    run.grew = true;
  });
}

interface Means {
  readonly activities: SettleActivities;
  readonly run: Run;
  readonly summary: string;
}

/** Takes one step and returns the journal as it is known after it. */
async function take(next: Standing, { activities, run, summary }: Means): Promise<KnownJournal> {
  const now = databaseTime(run.last);
  const { step } = next;
  switch (step.kind) {
    case 'send':
      return known(await activities.send(step));
    case 'look_up':
      return known(withProposals(await activities.lookUp(), run));
    case 'finish':
      return known(await activities.record());
    case 'review':
    case 'wait': {
      if (next.status !== run.last.journal.status) return known(await activities.record());
      const until = next.nextStepAt;
      if (run.askNow || run.wasRead) return askNow(run, activities);
      if (step.kind === 'review' && until !== null && until <= now) {
        return known(withProposals(await activities.lookUp(), run));
      }
      await untilDue(run, until === null ? null : until - now, summary);
      return run.grew ? readAgain(run, activities) : run.last;
    }
  }
}

/** Waits until somebody has news or the time has come; null waits for news alone. */
async function untilDue(run: Run, waitMs: number | null, summary: string): Promise<void> {
  const isWanted = (): boolean => run.grew || run.askNow || run.wasRead;
  if (waitMs === null) await condition(isWanted);
  else await condition(isWanted, Math.max(waitMs, 1), { summary });
}

async function readAgain(run: Run, activities: SettleActivities): Promise<KnownJournal> {
  run.grew = false;
  return known(await activities.record());
}

async function askNow(run: Run, activities: SettleActivities): Promise<KnownJournal> {
  const why = run.askNow ? 'asked' : 'wasRead';
  run.askNow = false;
  run.wasRead = false;
  return known(withProposals(await activities.lookUp(why), run));
}

/** A look-up does not read the proposals: those that were known stay shown. */
function withProposals(journal: Journal, { last }: Run): Journal {
  const { proposals } = last.journal;
  return proposals === undefined ? journal : { ...journal, proposals };
}
