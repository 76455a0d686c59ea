/**
 * Records what was learned and where the intent stands after it, in one transaction (INV-7): the
 * observation, the attempts' verdicts, the status, the outbox event, the notice to waiting callers.
 * Evidence is never refused: a late answer of a superseded attempt, or one about a final intent, is
 * kept and changes nothing by force.
 */
import { type Effect, type Finding, type Journal, type Source } from '../domain/journal';
import { standing } from '../domain/standing';
import { isFinal } from '../domain/status';
import { noteAnswer } from './circuits';
import { inLocked, situationOf } from './locked-intent';
import { note } from './observe-commits';
import { type Pool } from './pool';
import { type Transaction } from './transaction';
import { writeStanding } from './write-standing';

/** One piece of evidence to record. */
export interface NewFinding {
  readonly intentId: string;
  readonly effect: Effect;
  /** The attempt that the answer belongs to; null for a look-up, which asks about the effect. */
  readonly attempt: number | null;
  readonly source: Source;
  readonly finding: Finding;
  /** Database clock before the question left, milliseconds. */
  readonly askedAt: number;
}

/** Records the finding (an answer to one attempt counts once) and returns the journal after it. */
export async function recordFinding(pool: Pool, found: NewFinding): Promise<Journal> {
  return inLocked(pool, found.intentId, async (tx, { intent, journal: before, circuit }) => {
    const observedAt = Math.max(before.readAt, found.askedAt);
    if (isAnswered(before, found)) return before;
    insertObservation(tx, found, observedAt);
    const { operation, provider } = intent;
    note(tx, { kind: 'found', operation, provider, source: found.source, finding: found.finding });
    const observation = {
      effect: found.effect,
      attempt: found.attempt,
      source: found.source,
      finding: found.finding,
      askedAt: found.askedAt,
      observedAt,
    };
    const journal = { ...before, observations: [...before.observations, observation] };
    const next = standing(situationOf(intent, journal));
    await writeStanding(tx, { intent, journal }, next);
    if (found.source === 'response') {
      const answer = { ...found, openedAt: found.askedAt };
      await noteAnswer(tx, intent.provider, { answer, known: circuit });
    }
    return { ...journal, status: isFinal(intent.status) ? intent.status : next.status };
  });
}

/**
 * What was found is this attempt's answer, and one is there: the same, recorded before by a commit whose
 * acknowledgement was lost. Under the row lock nobody adds one after this look; where the journal leaves
 * an old answer out, `one_answer_per_attempt` refuses the second.
 */
function isAnswered({ observations }: Journal, { source, effect, attempt }: NewFinding): boolean {
  return (
    source === 'response' &&
    observations.some(
      (one) => one.source === 'response' && one.effect === effect && one.attempt === attempt,
    )
  );
}

function insertObservation(tx: Transaction, found: NewFinding, observedAt: number): void {
  tx.later({
    name: 'insert-observation',
    text: `insert into observations (intent, effect, attempt, source, finding, asked_at, observed_at)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000))`,
    values: [
      found.intentId,
      found.effect,
      found.attempt,
      found.source,
      found.finding,
      found.askedAt,
      observedAt,
    ],
  });
}
