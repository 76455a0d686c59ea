/**
 * Activity `record`: re-derives where the intent stands, writes it, and returns the journal. For what
 * only time changes, and for a run that lost its place.
 */
import { type Journal } from '../domain/journal';
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
    return journal;
  };
}
