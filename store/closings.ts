/** Closings, as they stand in the decisions' chain. */
import { type ClosedDiscrepancy, DECISION_COLUMNS, type DecisionRow } from './decision-row';
import { type Queryable } from './pool';

/** Who closed what, and when. */
export interface LastClosing {
  readonly operator: string;
  readonly decidedAt: Date;
  readonly closes: ClosedDiscrepancy;
}

/** A closing by its id, of a discrepancy or of an effect without an intent; null where there is none. */
export async function findClosing(tx: Queryable, id: string): Promise<DecisionRow | null> {
  const { rows } = await tx.query<DecisionRow>({
    name: 'find-closing',
    text: `select ${DECISION_COLUMNS} from decisions where id = $1 and kind = 'close'`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** The latest closing of a discrepancy of this intent. */
export async function lastClosing(tx: Queryable, intentId: string): Promise<LastClosing | null> {
  const { rows } = await tx.query<LastClosing>({
    name: 'last-closing',
    text: `select operator, decided_at as "decidedAt", closes from decisions
      where intent = $1 and kind = 'close' order by position desc limit 1`,
    values: [intentId],
  });
  return rows[0] ?? null;
}
