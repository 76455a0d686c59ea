/** A decision becomes evidence: observation, standing and event in the transaction that recorded it. */
import { type Observation } from '../domain/journal';
import { standing } from '../domain/standing';
import { type DecisionRow } from './decision-row';
import { type IntentRow } from './intent-row';
import { type LockedIntent, readRow, situationOf } from './locked-intent';
import { note } from './observe-commits';
import { type Transaction } from './transaction';
import { writeStanding } from './write-standing';

/** A decision, and when it was made (not approved), on the database's clock in milliseconds. */
interface Effective {
  readonly decision: DecisionRow;
  readonly decidedAt: number;
}

/** Writes it and returns the intent after it. An id is evidence once (`source_event_once`). */
export async function takeEffect(
  tx: Transaction,
  { intent, journal: before }: LockedIntent,
  { decision, decidedAt }: Effective,
): Promise<IntentRow> {
  if (decision.kind === 'approve' || decision.kind === 'close') {
    throw new Error('only a decision is evidence of its own');
  }
  const observation: Observation = {
    effect: 'apply',
    attempt: null,
    source: 'operator',
    finding: {
      kind: 'decided',
      decision: decision.kind,
      override: decision.override,
      attempts: decision.attempts,
      decisionId: decision.id,
    },
    askedAt: decidedAt,
    observedAt: before.readAt,
  };
  insert(tx, intent.id, observation);
  const { operation, provider } = intent;
  note(tx, {
    kind: 'found',
    operation,
    provider,
    source: 'operator',
    finding: observation.finding,
  });
  const journal = { ...before, observations: [...before.observations, observation] };
  await writeStanding(tx, { intent, journal }, standing(situationOf(intent, journal)));
  return readRow(tx, intent.id);
}

function insert(tx: Transaction, intentId: string, one: Observation): void {
  if (one.finding.kind !== 'decided') throw new Error('not a decision');
  tx.later({
    name: 'insert-decided',
    text: `insert into observations (intent, effect, source, finding, source_event_id, asked_at,
        observed_at)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000))`,
    values: [
      intentId,
      one.effect,
      one.source,
      one.finding,
      one.finding.decisionId,
      one.askedAt,
      one.observedAt,
    ],
  });
}
