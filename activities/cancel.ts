/**
 * Activity `cancel`: records a cancel that somebody asked for in the Web UI, by the road of
 * `POST …/cancel`. Again, it changes nothing.
 */
import { type Status } from '../domain/status';
import { recordStanding } from '../store/record-standing';
import { type CancelRequest, requestCancel } from '../store/request-cancel';
import { type Dependencies } from './dependencies';

/** Makes the activity. It returns the intent's status after it. */
export function createCancel(deps: Dependencies): (request: CancelRequest) => Promise<Status> {
  return async function cancel(request) {
    await requestCancel(deps.pool, request);
    const { journal } = await recordStanding(deps.pool, request.id);
    return journal.status;
  };
}
