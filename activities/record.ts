/**
 * Activity `record`: re-derives where the intent stands, writes it, and returns the journal, with the
 * decisions that wait for a second person. For what only time changes, and for a run that lost its
 * place or was told to look again.
 */
import { type Journal } from '../domain/journal';
import { openProposals } from '../store/read-decisions';
import { recordStanding } from '../store/record-standing';
import { type Dependencies } from './dependencies';

/** Which intent. */
export interface RecordRequest {
  readonly intentId: string;
}

/** Makes the activity. */
export function createRecord(deps: Dependencies): (request: RecordRequest) => Promise<Journal> {
  return async function record({ intentId }) {
    const { journal } = await recordStanding(deps.pool, intentId);
    const proposals = await openProposals(deps.pool, intentId);
    return proposals.length === 0 ? journal : { ...journal, proposals };
  };
}
