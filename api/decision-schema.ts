/** The body of a decision; strict, every member but `override` required. */
import { z } from 'zod';
import { DECISION_ID, MOST_EVIDENCE, MOST_REASON } from '../domain/decision-form';
import { name } from '../operations/text';

export const decisionSchema = z.strictObject({
  /** The operator's own name for this decision: again, it is the same decision. */
  decision_id: z
    .string()
    .regex(DECISION_ID, 'must be 1 to 100 of letters, digits and . _ ~ : @ + = -'),
  decision: z.enum(['applied', 'not_applied', 'retry'], {
    error: 'must be one of applied, not_applied, retry',
  }),
  /** What proves it. */
  evidence: name(MOST_EVIDENCE),
  reason: name(MOST_REASON),
  /** Ends an intent against a look-up that stays silent; a second operator must approve. */
  override: z.boolean().default(false),
});
