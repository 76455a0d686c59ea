/**
 * The bodies of answers. The code that builds them is typed by these schemas, the document publishes
 * them, and the tests hold every answer that they get against them.
 */
import { z } from 'zod';
import { STATUSES } from '../../domain/status';
import { CLOSINGS } from '../../domain/later-contradiction';
import { CONCERNS } from '../../domain/concern';
import { type ProblemName, PROBLEMS } from '../problem';

const time = z.string().meta({ format: 'date-time' });
const id = z.string().meta({ format: 'uuid' });
const path = z.string().meta({ format: 'uri-reference' });

const status = z.enum(STATUSES);

/** What the caller may safely do next. */
export const verdictShape = z
  .object({
    repeat_same_key: z.literal('safe'),
    new_key: z.enum(['safe', 'forbidden']),
    key_valid_until: z.null().meta({ description: 'Always null: keys are kept for ever.' }),
    next_check_at: time.nullable(),
  })
  .meta({ description: 'What the caller may safely do next.' });

/** The one shape in which every answer shows an intent. */
export const intentShape = z
  .object({
    id,
    operation: z.string(),
    status,
    idempotency_key: z.string().nullable(),
    reference: z.string(),
    charge: id.nullable().meta({ description: 'Of a refund: the intent of its charge.' }),
    amount: z.int().nullable().meta({
      description: 'Minor units of the currency; null where the effect is not about money.',
    }),
    currency: z.string().nullable(),
    provider: z.string(),
    provider_id: z.string().nullable(),
    attempts: z.int().min(0).meta({ description: 'Permissions to send that were recorded.' }),
    reason: z.string(),
    unknown_since: time.nullable(),
    review_since: time.nullable(),
    discrepancy: z
      .object({
        since: time,
        reason: z.string().nullable(),
        closed_at: time.nullable().meta({
          description: 'Since when an operator has found that the evidence is right; null: open.',
        }),
      })
      .nullable()
      .meta({ description: 'Evidence that contradicts a final state.' }),
    created_at: time,
    updated_at: time,
    finalised_at: time.nullable(),
    verdict: verdictShape,
    links: z.object({ self: path, explanation: path, desk: z.string() }),
  })
  .meta({ description: 'An intent in its present state.' });

const decisionKind = z.enum(['applied', 'not_applied', 'retry']);

/** An intent, and what became of an operator's decision about it. */
export const decidedIntentShape = intentShape
  .extend({
    decision: z
      .object({ decision_id: z.string(), state: z.enum(['proposed', 'effective']) })
      .meta({ description: 'Proposed: another operator must approve it.' }),
  })
  .meta({ description: 'An intent, and what became of a decision about it.' });

/** RFC 9457. `type` is the path of the problem's page. */
export const problemShape = z
  .object({
    type: z.string().meta({ format: 'uri-reference' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().optional(),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'Each fault of a body or query, by RFC 6901 pointer.' }),
    intent: intentShape.optional().meta({ description: 'The intent concerned.' }),
    verdict: verdictShape.optional(),
  })
  .meta({ description: 'Why a request was not answered with what it asked for.' });

/** One page of a list. */
export const intentPageShape = z.object({
  data: z.array(intentShape),
  next_cursor: z.string().nullable(),
});

/** One line of the operators' queue. */
const queueLineShape = intentShape.extend({
  tenant: z.string(),
  concern: z.enum(CONCERNS).meta({ description: 'Why it waits; the first that applies.' }),
  since: time.meta({ description: 'Since when it is of concern.' }),
});

/** What waits for operators. */
export const queueShape = z.object({
  data: z.array(queueLineShape),
  sums: z
    .array(
      z.object({
        concern: z.enum(CONCERNS),
        currency: z.string().nullable(),
        intents: z.int(),
        amount: z.int().meta({ description: 'Minor units of the currency.' }),
      }),
    )
    .meta({ description: 'Of the whole queue, whatever is shown of it.' }),
});

/** Effects under references of ours, without an intent. */
export const orphansShape = z.object({
  data: z.array(
    z.object({
      provider: z.string(),
      provider_id: z.string().meta({ description: 'The provider’s own id of the effect.' }),
      intent: id.meta({ description: 'The intent that its reference names.' }),
      seen_at: time,
    }),
  ),
});

/** One of them, closed. */
export const closedOrphanShape = z.object({
  provider: z.string(),
  provider_id: z.string(),
  decision_id: z.string(),
  operator: z.string(),
  closed_at: time,
});

/** The provider is being asked. */
export const lookUpShape = z.object({ message: z.string() });

/** One change of one intent: CloudEvents 1.0, JSON format. */
export const eventShape = z.object({
  specversion: z.literal('1.0'),
  id: z.string(),
  source: z.string(),
  type: z.string(),
  subject: id,
  time,
  datacontenttype: z.literal('application/json'),
  sequence: z.int().min(1).meta({ description: 'Counts the changes of one intent from 1.' }),
  data: z.record(z.string(), z.unknown()),
});

/** One page of the feed. */
export const eventPageShape = z.object({
  data: z.array(eventShape),
  next_cursor: z.string().meta({ description: 'Where to go on, also from an empty page.' }),
});

/** What a finding says beside its kind. */
const detailShape = z.object({
  provider_id: z.string().optional(),
  code: z.string().optional(),
  declined: z.boolean().optional(),
  why: z.string().optional(),
  frozen: z.boolean().optional(),
  what: z.string().optional(),
  decision: decisionKind.optional(),
  decision_id: z.string().optional(),
  attempts: z.int().optional(),
  override: z.boolean().optional(),
});

/** A decision, an approval, what was refused of either, or the closing of a discrepancy. */
const decisionShape = z.object({
  decision_id: z.string(),
  decision: z.enum([...decisionKind.options, 'approve', 'close']),
  closing: z
    .enum(CLOSINGS)
    .optional()
    .meta({ description: 'Of a closing: what was found to be right.' }),
  state: z.enum(['proposed', 'effective', 'refused']),
  override: z.boolean(),
  operator: z.string().optional().meta({ description: 'Shown to operators.' }),
  authenticated: z.boolean().meta({ description: 'False where the name is only claimed.' }),
  decided_at: time,
  refusal: z.string().nullable(),
  evidence: z.string().optional().meta({ description: 'Shown to operators.' }),
  reason: z.string().optional().meta({ description: 'Shown to operators.' }),
});

/** Why an intent stands where it stands. */
export const explanationShape = z.object({
  intent: id,
  status,
  belief: z.string(),
  because: z.array(z.object({ rule: z.string(), observation: z.int().nullable() })),
  observations: z.array(
    z.object({
      source: z.string(),
      effect: z.string().meta({ description: 'apply, or revert: what it is evidence about.' }),
      finding: z.string(),
      attempt: z
        .int()
        .nullable()
        .meta({ description: 'Of that effect; null where it is about the effect as a whole.' }),
      asked_at: time,
      observed_at: time,
      detail: detailShape,
    }),
  ),
  attempts: z.array(
    z.object({
      effect: z.string(),
      number: z.int(),
      generation: z.int(),
      reference: z.string().meta({ description: 'Our name for the effect at the provider.' }),
      provider_key: z.string().meta({ description: 'The idempotency key that it was sent under.' }),
      opened_at: time,
      send_deadline: time,
      verdict: z.string().nullable(),
      proven: z.string().nullable(),
    }),
  ),
  allowed: z
    .array(decisionKind)
    .meta({ description: 'What an operator may decide now, without an override.' }),
  decisions: z.array(decisionShape),
  cancel: z
    .object({
      requested_at: time,
      by: z.string().nullable().optional().meta({ description: 'Shown to operators.' }),
    })
    .nullable(),
  next: z.object({ step: z.string(), at: time.nullable(), reason: z.string() }),
});

/** A notification is stored, now or before. */
export const notificationReceiptShape = z.object({ event_id: z.string() });

const reachable = z.enum(['reachable', 'unreachable']);

/** `/healthz`. */
const healthShape = z.object({ status: z.literal('ok') });

/** `/readyz`. */
const readinessShape = z.object({ store: reachable, temporal: reachable });

/** The document itself, as far as its readers rely on it. */
const documentShape = z.looseObject({ openapi: z.string() });

/** Names under which the document publishes shapes. */
export const SHAPES = {
  Verdict: verdictShape,
  Intent: intentShape,
  DecidedIntent: decidedIntentShape,
  Problem: problemShape,
  IntentPage: intentPageShape,
  Queue: queueShape,
  Orphans: orphansShape,
  ClosedOrphan: closedOrphanShape,
  LookUp: lookUpShape,
  Event: eventShape,
  EventPage: eventPageShape,
  Explanation: explanationShape,
  NotificationReceipt: notificationReceiptShape,
  Health: healthShape,
  Readiness: readinessShape,
  Document: documentShape,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Name of a published shape. */
export type ShapeName = keyof typeof SHAPES;

/** Every problem name, in the order of the table. */
export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];
