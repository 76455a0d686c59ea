/**
 * PostgreSQL is put back to a state before charges were sent, Temporal and the provider are not. Charges
 * that the backup has are assumed to have been sent; identities that it has not are held back by
 * Temporal, which still has their runs, until two persons say what the provider shows.
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Answer } from './http';
import { withPostgresAlone } from './postgres-alone';
import { desk, inDatabase, inTemporal, resolute } from './programs';
import { PATIENCE_MS, type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';
import { until } from '../local/until';

/** In the backup, not sent yet when it was made. */
const OPEN = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'].map((provider) => ({
  name: `backup-${provider}`,
  provider,
}));
const ASKED: readonly string[] = ['sim-full', 'sim-lookup'];
/** Recorded and charged after the backup. */
const FORGOTTEN = { name: 'forgotten', provider: 'sim-lookup' };
/** Recorded after it, and its run is still open. */
const FORGOTTEN_OPEN = { name: 'forgotten-open', provider: 'sim-blind' };

interface Assumed {
  readonly assumed: boolean;
}

export const restoredBackup: Rehearsal = {
  name: 'restored-backup',
  isAlone: true,
  async perform(stage) {
    await chargeAroundBackup(stage);
    await restore(stage);
    await settleWhatTheBackupHas(stage);
    await repeatWhatItHasNot(stage);
    await parkTheForgotten(stage);
    await endTheOpenRun(stage);
  },
};

async function chargeAroundBackup(stage: Stage): Promise<void> {
  // Recorded, and kept from being sent until the copy is made.
  stage.signal('worker', 'SIGSTOP');
  for (const charge of OPEN) await stage.charge({ ...charge, wait: 0 });
  await stage.restart(() => copy(stage, 'postgres', 'backup'));
  for (const charge of OPEN) await stage.untilStatus(charge, 'succeeded');
  await stage.untilStatus(FORGOTTEN, 'succeeded');
  await stage.fault(FORGOTTEN_OPEN.name, { on: 'charge', do: 'timeout-after-effect' });
  await stage.untilStatus(FORGOTTEN_OPEN, 'in_review');
  stage.say('  backup made with four charges recorded; then these and two new ones were sent');
}

/** A copy of the stopped cluster with its owner; elsewhere pg_dump of the database `resolute` alone. */
async function copy(stage: Stage, from: string, to: string): Promise<void> {
  const path = (name: string) => join(stage.dataDirectory, name);
  await rm(path(to), { recursive: true, force: true });
  await promisify(execFile)('cp', ['-a', path(from), path(to)]);
}

/** Stopped, put back, and told what it cannot know, before any worker runs. */
async function restore(stage: Stage): Promise<void> {
  await stage.restart(async () => {
    await copy(stage, 'backup', 'postgres');
    const assumed = await withPostgresAlone(stage.dataDirectory, (database) =>
      resolute({ database }, 'assume-sent'),
    );
    const all = assumed as readonly Assumed[];
    must('all four are assumed sent', all.filter((one) => one.assumed).length === OPEN.length);
  });
  stage.say('  restored; assume-sent: four permits that are used by nobody');
}

/** Their runs have completed, so Temporal refuses to start them again until these are deleted. */
async function settleWhatTheBackupHas(stage: Stage): Promise<void> {
  const { rows } = await inDatabase(stage.ready, (pool) =>
    pool.query<{ workflow_id: string }>({
      text: `select workflow_id from intents where status not in ('succeeded', 'failed', 'canceled')`,
      values: [],
    }),
  );
  for (const { workflow_id } of rows) await deleteRun(stage, workflow_id);
  for (const charge of OPEN) {
    // Where the provider can be asked a look-up may be quicker than any person.
    const undecided = ASKED.includes(charge.provider) ? [] : ['in_review'];
    const answer = await stage.untilStatus(charge, 'succeeded', ...undecided);
    const status = answer.intent?.status ?? '';
    if (status === 'in_review') await decide(stage, answer, charge);
    await stage.untilStatus(charge, 'succeeded');
    must('one effect', (await stage.effects(charge.name)).length === 1);
    const how = status === 'in_review' ? 'in review, decided by the statement' : 'found';
    stage.say(`  ${charge.provider}: ${how}; one effect`);
  }
}

/** Callers come with their old keys; the intents are new, and nothing is sent for them. */
async function repeatWhatItHasNot(stage: Stage): Promise<void> {
  for (const { concern, ...charge } of [
    // Temporal refuses the start: its run has completed.
    { ...FORGOTTEN, concern: 'held_back' },
    // Its run is open, and asks for the intent that was forgotten.
    { ...FORGOTTEN_OPEN, concern: 'overdue' },
  ]) {
    const answer = await stage.charge({ ...charge, wait: 0 });
    must('it is recorded anew', answer?.code === 202 && answer.intent?.status === 'accepted');
    await until(
      `it is shown as ${concern}`,
      async () => {
        const { answer: held } = await desk(stage.ready, 'list', '--concern', concern);
        const { data } = held as { readonly data: readonly { readonly id: string }[] };
        return data.some(({ id }) => id === answer?.intent?.id) || undefined;
      },
      PATIENCE_MS,
    );
    const again = await stage.charge({ ...charge, wait: 1 });
    must('it waits', again?.intent?.status === 'accepted');
    must('it was not sent again', (await stage.effects(charge.name)).length === 1);
  }
  stage.say('  two keys that the backup has not: recorded anew, held back, not sent a second time');
}

/**
 * The word comes first: a run that starts before it would find nothing under the new reference and send.
 * After it the look-up contradicts the word, and the intent stays before a person, never sent.
 */
async function parkTheForgotten(stage: Stage): Promise<void> {
  const answer = await stage.charge({ ...FORGOTTEN, wait: 0 });
  const id = answer?.intent?.id ?? '';
  await resolute(stage.ready, 'assume-sent', '--intent', id);
  await decide(stage, answer, FORGOTTEN);
  await deleteRun(stage, await workflowOf(stage, id));
  const parked = await stage.untilStatus(FORGOTTEN, 'in_review');
  must('one effect', (await stage.effects(FORGOTTEN.name)).length === 1);
  stage.say(`  ${FORGOTTEN.provider}: in review, one effect, "${parked.intent?.reason}"`);
}

async function endTheOpenRun(stage: Stage): Promise<void> {
  const answer = await stage.charge({ ...FORGOTTEN_OPEN, wait: 0 });
  const id = answer?.intent?.id ?? '';
  await resolute(stage.ready, 'assume-sent', '--intent', id);
  await decide(stage, answer, FORGOTTEN_OPEN);
  await stage.untilStatus(FORGOTTEN_OPEN, 'succeeded');
  await deleteRun(stage, await workflowOf(stage, id));
  must('one effect', (await stage.effects(FORGOTTEN_OPEN.name)).length === 1);
  stage.say(`  ${FORGOTTEN_OPEN.provider}: decided, its old run deleted: succeeded, one effect`);
}

/** By what the provider shows. */
async function decide(
  stage: Stage,
  about: Answer | null,
  { name }: { readonly name: string },
): Promise<void> {
  const [effect] = await stage.effects(name);
  const grounds = ['--evidence', `statement: ${effect?.id ?? ''}`, '--reason', 'restored'];
  await until(
    'a decision is legal',
    async () => {
      const id = about?.intent?.id ?? '';
      const { code } = await desk(stage.ready, 'decide', id, 'applied', ...grounds);
      return code === 0 || code === 3 || undefined;
    },
    PATIENCE_MS,
  );
}

async function workflowOf(stage: Stage, id: string): Promise<string> {
  const { rows } = await inDatabase(stage.ready, (pool) =>
    pool.query<{ workflow_id: string }>({
      text: 'select workflow_id from intents where id = $1',
      values: [id],
    }),
  );
  return rows[0]?.workflow_id ?? '';
}

/** `temporal workflow delete -w …`; the auditor starts a new run where the intent has not ended. */
async function deleteRun({ ready }: Stage, workflowId: string): Promise<void> {
  await inTemporal(ready, ({ workflowService }) =>
    workflowService.deleteWorkflowExecution({
      namespace: ready.temporal.namespace,
      workflowExecution: { workflowId },
    }),
  );
}
