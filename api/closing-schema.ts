/** The bodies that close a discrepancy, or an effect without an intent; strict, every member required. */
import { z } from 'zod';
import { MOST_EVIDENCE, MOST_REASON } from '../domain/decision-form';
import { CLOSINGS } from '../domain/later-contradiction';
import { name } from '../operations/text';
import { decisionSchema } from './decision-schema';

const { decision_id } = decisionSchema.shape;

export const closingSchema = z.strictObject({
  /** The operator's own name for this closing: again, it is the same one. */
  decision_id,
  /** Which discrepancy was seen, by the intent's own words. */
  since: z.iso.datetime({ error: 'must be the `since` that the intent shows' }),
  closing: z.enum(CLOSINGS, { error: `must be one of ${CLOSINGS.join(', ')}` }),
  /** What proves it. */
  evidence: name(MOST_EVIDENCE),
  /** What was done about it, and why. */
  reason: name(MOST_REASON),
});

const MOST_NAME = 255;

export const orphanClosingSchema = z.strictObject({
  decision_id,
  provider: name(MOST_NAME),
  /** The provider's own id of the effect. */
  provider_id: name(MOST_NAME),
  evidence: name(MOST_EVIDENCE),
  reason: name(MOST_REASON),
});
