/**
 * The one workflow: a loop over the decision rules until the outcome is proven. Its state is the
 * journal, whose truth is in PostgreSQL; whatever happens to a run (reset, terminate, restart, a
 * second one beside it), the next activity reads the journal under the row lock and sends nothing
 * that the rules do not allow. The loop ignores cancellation requests of the Web UI: an effect under
 * way cannot be wished away.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type Journal } from '../domain/journal';
import { standing, type Standing } from '../domain/standing';
import { isFinal, type Outcome } from '../domain/status';
import { createDeskTexts } from './desk-texts';
import { databaseTime, known, type KnownJournal, unknownYet } from './known-journal';
import { type SettleActivities, settleActivities } from './settle-activities';
import { type SettleInput } from './settle-input';

/** The journal as this run knows it. */
const journalQuery = defineQuery<Journal>('journal');

/** "The journal has grown, look again": sent after evidence from outside was committed. */
const journalGrew = defineSignal('journalGrew');

/** Settles one intent; completes only with its proven outcome. */
export async function settleIntent(input: SettleInput): Promise<{ outcome: Outcome }> {
  const run: Run = { last: unknownYet(), grew: false };
  setHandler(journalQuery, () => run.last.journal);
  setHandler(journalGrew, () => {
    run.grew = true;
  });
  const activities = settleActivities(input);
  const desk = createDeskTexts(input);

  return CancellationScope.nonCancellable(async () => {
    for (;;) {
      const next = standingOf(input, run.last);
      desk.show(run.last.journal, next);
      if (isFinal(run.last.journal.status)) return { outcome: run.last.journal.status };
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof settleIntent>(input);
      run.last = await take(next, { activities, run, summary: desk.timer(next) });
    }
  });
}

interface Run {
  last: KnownJournal;
  grew: boolean;
}

function standingOf({ contract, policy }: SettleInput, last: KnownJournal): Standing {
  return standing({ journal: last.journal, contract, policy, now: databaseTime(last) });
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
      return known(await activities.lookUp());
    case 'finish':
      return known(await activities.record());
    case 'review':
    case 'wait': {
      if (next.status !== run.last.journal.status) return known(await activities.record());
      const until = next.nextStepAt;
      if (step.kind === 'review' && until !== null && until <= now) {
        return known(await activities.lookUp());
      }
      await untilDue(run, until === null ? null : until - now, summary);
      return run.grew ? readAgain(run, activities) : run.last;
    }
  }
}

/** Waits until the journal grew or the time has come; null waits for the journal alone. */
async function untilDue(run: Run, waitMs: number | null, summary: string): Promise<void> {
  if (waitMs === null) await condition(() => run.grew);
  else await condition(() => run.grew, Math.max(waitMs, 1), { summary });
}

async function readAgain(run: Run, activities: SettleActivities): Promise<KnownJournal> {
  run.grew = false;
  return known(await activities.record());
}
