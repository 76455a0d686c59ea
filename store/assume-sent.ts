/**
 * After PostgreSQL was restored from a backup: whatever the rules would send next may have been sent
 * already, by a journal that is gone. So the permit for it is opened here and used by nobody. From then
 * on it is a lost answer like any other: asked about, repeated only under its key, or put before a
 * person. For the owner of the tables, while no worker runs.
 *
 * What only the present moment forbids to send was no obstacle earlier, after the backup: a deadline
 * that has passed by now, a circuit that was open when the backup was made. Both are set aside here.
 */
import { assessRevert } from '../domain/assess-revert';
import { type Attempt, type Journal } from '../domain/journal';
import { standing, type Standing } from '../domain/standing';
import { type SendStep, type Situation } from '../domain/step';
import { loadJournal } from './load-journal';
import { type LockedIntent, readRow, situationOf } from './locked-intent';
import { insertAttempt } from './open-attempt';
import { type Pool, type Queryable } from './pool';
import { inTransaction, type Transaction } from './transaction';
import { writeStanding } from './write-standing';

/** Who such a permit belongs to, for the record: no worker. */
const OWNER = 'assumed after a restore';

/** An intent that has not ended, and whether a send was assumed for it. */
export interface Assumed {
  readonly intentId: string;
  readonly workflowId: string;
  readonly provider: string;
  /** False where the journal says already that one may be under way, or that nothing is to be sent. */
  readonly assumed: boolean;
}

/**
 * Goes through all intents that have not ended, or the one that is named. Again, it changes nothing. The
 * circuits of the backup tell of providers as they were then: with all intents they are closed.
 */
export async function assumeSent(pool: Pool, only: string | null): Promise<readonly Assumed[]> {
  if (only === null) await pool.query('delete from provider_circuits');
  const { rows } = await pool.query<{ id: string }>({
    name: 'unfinished-intents',
    text: `select id from intents
      where status not in ('succeeded', 'failed', 'canceled') and ($1::uuid is null or id = $1)
      order by id`,
    values: [only],
  });
  const all: Assumed[] = [];
  for (const { id } of rows) all.push(await inTransaction(pool, (tx) => assume(tx, id)));
  return all;
}

async function assume(tx: Transaction, id: string): Promise<Assumed> {
  const locked = await lockUnheard(tx, id);
  const { intent, journal } = locked;
  const situation = {
    ...situationOf(intent, journal),
    policy: { ...intent.policy, deadlineMs: null },
  };
  const then = standing(situation);
  const about = { intentId: id, workflowId: intent.workflowId, provider: intent.provider };
  const step = assumable(then, situation);
  if (step === null) return { ...about, assumed: false };
  const attempt = attemptFor(locked, step);
  // What time has proven of earlier attempts since they were last judged closes them first.
  await writeStanding(tx, locked, then);
  insertAttempt(tx, intent, { attempt, owner: OWNER });
  const grown = { ...journal, attempts: [...journal.attempts, attempt] };
  // As if it had been written when it was opened, and then now: a status moves by one step at a time.
  await write(tx, {
    intent: await readRow(tx, id),
    journal: { ...grown, readAt: attempt.openedAt },
  });
  await write(tx, { intent: await readRow(tx, id), journal: grown });
  return { ...about, assumed: true };
}

/**
 * The intent under its lock, without hearing the notifications that wait: whoever hears them writes
 * where it stands by now, and past its deadline that would be an end.
 */
async function lockUnheard(tx: Queryable, id: string): Promise<LockedIntent> {
  await tx.query('select from intents where id = $1 for no key update', [id]);
  const intent = await readRow(tx, id);
  const { journal } = await loadJournal(tx, intent);
  return { intent, journal: withoutHold(journal) };
}

function withoutHold(journal: Journal): Journal {
  const { hold, ...rest } = journal;
  return hold === undefined ? journal : rest;
}

/** A repeat under the same key is no new send: the first one is known, and so is its window. */
function assumable(
  { step, belief }: Standing,
  { journal, contract, now }: Situation,
): SendStep | null {
  if (step.kind !== 'send') return null;
  const isInDoubt =
    step.effect === 'apply'
      ? belief.kind === 'doubt'
      : assessRevert(journal, contract, now).kind === 'doubt';
  return isInDoubt ? null : step;
}

/**
 * When it was opened is not known: after the row was last written, and before now. A miss proves absence
 * only if the latest moment is assumed; a repeat lies inside the key's window only if the earliest is.
 */
function attemptFor({ intent, journal }: LockedIntent, step: SendStep): Attempt {
  const { contract, updatedAt } = intent;
  const isAsked = step.effect === 'revert' || (contract.lookUp?.absenceIsProof ?? false);
  const openedAt = isAsked ? journal.readAt : updatedAt.getTime();
  return {
    effect: step.effect,
    number: step.number,
    generation: step.generation,
    openedAt,
    sendDeadline: openedAt + contract.send.budgetMs,
    verdict: null,
  };
}

async function write(tx: Transaction, about: LockedIntent): Promise<void> {
  await writeStanding(tx, about, standing(situationOf(about.intent, about.journal)));
}
