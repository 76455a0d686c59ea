/**
 * The permit: one committed row per permission to send (INV-2), opened under the intent's row lock,
 * and only if the rules, run again on the locked rows, still say send for this very attempt. A stale,
 * repeated or second run therefore sends nothing: it gets the journal instead.
 */
import { createHash } from 'node:crypto';
import { providerKey, providerReference } from '../domain/identity';
import { type Attempt, type Journal } from '../domain/journal';
import { type SendStep, type Step } from '../domain/step';
import { standing } from '../domain/standing';
import { claimProbe } from './circuits';
import { type IntentRow } from './intent-row';
import { loadJournal } from './load-journal';
import { inLocked, type Locked, type LockedIntent, situationOf } from './locked-intent';
import { type Pool, type Queryable } from './pool';
import { type Transaction } from './transaction';
import { writeStanding } from './write-standing';

/** An attempt that was opened for the caller, and only for it. */
export interface OpenedAttempt {
  readonly kind: 'opened';
  readonly intent: IntentRow;
  readonly attempt: Attempt;
  readonly providerKey: string;
  readonly reference: string;
}

/** The rules no longer say send; what they say now is in the journal. */
export interface NotOpened {
  readonly kind: 'not_opened';
  readonly journal: Journal;
}

/** Who asks for which permit. */
export interface AttemptRequest {
  readonly intentId: string;
  readonly step: SendStep;
  /** The worker's name, for the record. */
  readonly owner: string;
  /** Throws where this worker could not carry it out: then nothing is opened. */
  readonly check?: (intent: IntentRow) => void;
}

/** Opens the attempt that `step` names for `owner`. */
export async function openAttempt(
  pool: Pool,
  request: AttemptRequest,
): Promise<OpenedAttempt | NotOpened> {
  return inLocked(pool, request.intentId, async (tx, locked) => {
    const now = standing(situationOf(locked.intent, locked.journal));
    if (!isSame(now.step, request.step)) {
      // A hold is news: callers and the auditor are told why nothing is sent, and until when.
      if (locked.journal.hold !== undefined) await writeStanding(tx, locked, now);
      return { kind: 'not_opened', journal: locked.journal };
    }
    if (now.belief.kind === 'not_applied' && !(await isLetThrough(tx, locked))) {
      const held = await loadJournal(tx, locked.intent);
      await writeStanding(
        tx,
        { intent: locked.intent, journal: held.journal },
        standing(situationOf(locked.intent, held.journal)),
      );
      return { kind: 'not_opened', journal: held.journal };
    }
    request.check?.(locked.intent);
    const attempt = newAttempt(locked, request.step);
    if (locked.journal.attempts.length > 0) supersedeOpenAttempts(tx, locked.intent.id, attempt);
    const keys = insertAttempt(tx, locked.intent, { attempt, owner: request.owner });
    const journal = { ...locked.journal, attempts: [...locked.journal.attempts, attempt] };
    const after = { intent: locked.intent, journal };
    await writeStanding(tx, after, standing(situationOf(locked.intent, journal)));
    return { kind: 'opened', intent: locked.intent, attempt, ...keys };
  });
}

/** Past the time of its answer and what may delay it, the probe counts as lost and the next may try. */
const PROBE_GRACE_MS = 1_000;

/** True where the circuit is closed, or this attempt is the one that tries the provider again. */
async function isLetThrough(tx: Queryable, { intent, circuit }: Locked): Promise<boolean> {
  if (circuit?.openUntil === null || circuit === null) return true;
  return claimProbe(tx, intent.provider, intent.contract.send.budgetMs + PROBE_GRACE_MS);
}

function isSame(now: Step, wanted: SendStep): boolean {
  return (
    now.kind === 'send' &&
    now.effect === wanted.effect &&
    now.number === wanted.number &&
    now.generation === wanted.generation
  );
}

function newAttempt({ intent, journal }: LockedIntent, step: SendStep): Attempt {
  return {
    effect: step.effect,
    number: step.number,
    generation: step.generation,
    openedAt: journal.readAt,
    sendDeadline: journal.readAt + intent.contract.send.budgetMs,
    verdict: null,
  };
}

/** Rule 4: the repeat takes over in the same transaction; that proves nothing about the older one. */
function supersedeOpenAttempts(tx: Transaction, intentId: string, { effect }: Attempt): void {
  tx.later({
    name: 'supersede-attempts',
    text: `update attempts set verdict = 'superseded', resolved_at = clock_timestamp()
      where intent = $1 and effect = $2 and verdict is null`,
    values: [intentId, effect],
  });
}

interface Opening {
  readonly attempt: Attempt;
  readonly owner: string;
}

/** Writes the row and returns the names under which the provider will know the send (INV-4). */
export function insertAttempt(
  tx: Transaction,
  intent: IntentRow,
  { attempt, owner }: Opening,
): Pick<OpenedAttempt, 'providerKey' | 'reference'> {
  const keys = {
    providerKey: providerKey(intent.id, attempt.effect, attempt.generation),
    reference: providerReference(intent.id, attempt.effect),
  };
  tx.later({
    name: 'open-attempt',
    text: `insert into attempts (intent, effect, number, generation, provider_key, reference,
        request_digest, owner, opened_at, send_deadline)
      values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000),
        to_timestamp($10::float8 / 1000))`,
    values: [
      intent.id,
      attempt.effect,
      attempt.number,
      attempt.generation,
      keys.providerKey,
      keys.reference,
      requestDigest(intent),
      owner,
      attempt.openedAt,
      attempt.sendDeadline,
    ],
  });
  return keys;
}

/** Tells two requests of one intent apart; without a key, so it is forgotten with the parameters. */
function requestDigest({ params }: IntentRow): Buffer | null {
  return params === null ? null : createHash('sha256').update(JSON.stringify(params)).digest();
}
