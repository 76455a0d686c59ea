/**
 * Activity `decide`: records what somebody decided in the Web UI. The name was typed, not proven, and
 * the row says so. Repeating it is harmless: the decision id is taken once.
 */
import { type Status } from '../domain/status';
import { type Decided, type NewDecision, recordDecision } from '../store/record-decision';
import { type Dependencies } from './dependencies';

/** A decision as it was typed. */
export type DecideRequest = Omit<NewDecision, 'authenticated'>;

/** What became of it, for the operator. */
export interface DecideAnswer {
  readonly decisionId: string;
  readonly state: 'effective' | 'proposed' | 'refused';
  /** Of the intent after it; null where there is none. */
  readonly status: Status | null;
  /** One sentence: what it did, or why it was refused and what is legal. */
  readonly message: string;
}

/** Makes the activity. */
export function createDecide(
  deps: Dependencies,
): (request: DecideRequest) => Promise<DecideAnswer> {
  return async function decide(request) {
    const decided = await recordDecision(deps.pool, { ...request, authenticated: false });
    return { decisionId: request.decisionId, ...answerTo(decided) };
  };
}

function answerTo(decided: Decided): Omit<DecideAnswer, 'decisionId'> {
  switch (decided.kind) {
    case 'clash':
      return refused('Another decision has this decision_id: look at the details, choose another.');
    case 'no_such_intent':
      return refused('This intent is not in the database.');
    case 'recorded': {
      const { decision, approved, intent } = decided;
      const { status } = intent;
      if (decision.state === 'refused') return { ...refused(decision.refusalDetail ?? ''), status };
      if (decision.state === 'effective' || approved) {
        return { state: 'effective', status, message: `Recorded; the intent is ${status}.` };
      }
      const message = 'Proposed: another, authenticated operator must approve it.';
      return { state: 'proposed', status, message };
    }
  }
}

function refused(message: string): Omit<DecideAnswer, 'decisionId'> {
  return { state: 'refused', status: null, message };
}
