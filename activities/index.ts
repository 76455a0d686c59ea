/** The activities by task queue: the workflow's own, and one set per provider. */
import { createAudit } from './audit';
import { createCancel } from './cancel';
import { createDecide } from './decide';
import { type Dependencies } from './dependencies';
import { createLookUp } from './look-up';
import { createPurge } from './purge';
import { createReconcile } from './reconcile';
import { createRecord } from './record';
import { createSend } from './send';

/**
 * Activities that touch only our own parts, on the workflow's task queue; and `send`, which runs there as
 * a local activity where the deployment has it so (workflows/settle-input.ts).
 */
export function ownActivities(deps: Dependencies) {
  return {
    send: createSend(deps),
    record: createRecord(deps),
    audit: createAudit(deps),
    purge: createPurge(deps),
    decide: createDecide(deps),
    cancel: createCancel(deps),
  };
}

/** Activities that call a provider; on that provider's task queue. */
export function providerActivities(deps: Dependencies) {
  return {
    send: createSend(deps),
    lookUp: createLookUp(deps),
    reconcile: createReconcile(deps),
  };
}

/** Types for the workflows, which import nothing else from here. */
export type OwnActivities = ReturnType<typeof ownActivities>;
export type ProviderActivities = ReturnType<typeof providerActivities>;
