/**
 * What callers say and are told, as types: derived from the schemas that the gateway validates with
 * and publishes, so that neither can change alone. Nothing of this exists when the program runs.
 */
import { type z } from 'zod';
import {
  type closedOrphanShape,
  type decidedIntentShape,
  type eventPageShape,
  type explanationShape,
  type intentPageShape,
  type intentShape,
  type lookUpShape,
  type orphansShape,
  type problemShape,
  type queueShape,
  type verdictShape,
} from '../api/openapi/shapes';
import { type closingSchema, type orphanClosingSchema } from '../api/closing-schema';
import { type decisionSchema } from '../api/decision-schema';
import { type RegisteredOperation } from '../operations/registry';

/** Name of an operation: `payment.charge`. */
export type OperationName = RegisteredOperation['name'];

/** What an operation is asked with. */
export type ParametersOf<Name extends OperationName> = z.output<
  Extract<RegisteredOperation, { readonly name: Name }>['schema']
>;

/** An intent in its present state. Times are RFC 3339 texts, amounts minor units. */
export type Intent = z.infer<typeof intentShape>;
/** What may safely be done next. */
export type Verdict = z.infer<typeof verdictShape>;
/** RFC 9457. */
export type ProblemBody = z.infer<typeof problemShape>;
/** What an operator decides. Made with an id of its own: sent again, it is the same decision. */
export type Decision = z.input<typeof decisionSchema>;
/** How an operator closes a discrepancy. Made with an id of its own: sent again, it is the same. */
export type DiscrepancyClosing = z.input<typeof closingSchema>;
/** How an operator closes an effect without an intent; the same is true of its id. */
export type OrphanClosing = z.input<typeof orphanClosingSchema>;
/** Effects without an intent that nobody has closed. */
export type Orphans = z.infer<typeof orphansShape>;
/** One that is closed. */
export type ClosedOrphan = z.infer<typeof closedOrphanShape>;
/** One page of a list of intents. */
export type IntentPage = z.infer<typeof intentPageShape>;
/** What waits for operators, oldest first, and how much hangs on it. */
export type Queue = z.infer<typeof queueShape>;
/** That the provider is being asked. */
export type LookUp = z.infer<typeof lookUpShape>;
/** One page of the feed, CloudEvents; `next_cursor` is where to go on. */
export type EventPage = z.infer<typeof eventPageShape>;
/** Why an intent stands where it stands. */
export type Explanation = z.infer<typeof explanationShape>;

/** What every result tells. */
interface Told {
  readonly intent: Intent;
  readonly verdict: Verdict;
  /** The code of the answer that told it. */
  readonly httpStatus: number;
  /** The identity had been claimed by an earlier request. */
  readonly isRepeat: boolean;
}

/** It is over, and proven. */
export interface Ended extends Told {
  readonly status: 'succeeded' | 'failed' | 'canceled';
}

/**
 * It is not over. `unknown` may have happened and is never a failure; `in_review` waits for a person.
 * Neither may be tried under a new key.
 */
export interface Open extends Told {
  readonly status: 'accepted' | 'executing' | 'pending' | 'unknown' | 'in_review';
  /** When it makes sense to ask again. */
  readonly retryAfterMs: number;
}

/** How an intent stands. Switch over `status`; there is no other way that a request can end well. */
export type Result = Ended | Open;

/** How an intent stands after a decision; a proposed one waits for another operator's approval. */
export type Decided = Result & Pick<z.infer<typeof decidedIntentShape>, 'decision'>;
