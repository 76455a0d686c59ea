/** Decisions as they are shown: with an intent's explanation, and to the run that waits for one. */
import { type Proposal } from '../domain/journal';
import { DECISION_COLUMNS, type DecisionRow } from './decision-row';
import { type Queryable } from './pool';
import { queryAs, type Visibility } from './query-as';

/** What was decided, approved and refused about an intent, first to last. */
export async function readDecisions(
  db: Queryable,
  intentId: string,
  visibility: Visibility,
): Promise<readonly DecisionRow[]> {
  const { rows } = await queryAs<DecisionRow>(db, visibility, {
    name: 'read-decisions',
    text: `select ${DECISION_COLUMNS} from decisions where intent = $1 order by position`,
    values: [intentId],
  });
  return rows;
}

/** The proposals that nobody approved yet; for the worker. */
export async function openProposals(db: Queryable, intentId: string): Promise<readonly Proposal[]> {
  const { rows } = await db.query<Proposal>({
    name: 'open-proposals',
    text: `select id as "decisionId", kind as decision, override,
        floor(extract(epoch from decided_at) * 1000)::bigint as "proposedAt"
      from decisions proposed
      where intent = $1 and state = 'proposed' and not exists (
        select from decisions approval
        where approval.approves = proposed.id and approval.state = 'effective')
      order by position`,
    values: [intentId],
  });
  return rows;
}
