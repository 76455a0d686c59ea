/**
 * What Stripe promises about a charge (API v1, PaymentIntents) and about a refund, with the page of each
 * promise. Where a page is silent the weaker reading is taken. docs/stripe.md says in words what follows
 * from it.
 */
import { type ProviderContract } from '../../domain/contract';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The contract of `charge`. */
export const STRIPE_CHARGE = {
  version: 2,
  // docs.stripe.com/api/idempotent_requests: up to 255 characters; "at least 24 hours old" keys may be
  // pruned; the status and body of the first request are saved once its execution has begun. A refusal
  // of parameters is not saved; what it closes is its own request alone (rule 6).
  key: {
    maxBytes: 255,
    // Goes into an HTTP header.
    alphabet: '\\x21-\\x7e',
    // docs.stripe.com/api/idempotent_requests: of an account, in one mode; other parameters under a
    // known key are an error.
    scope: 'account',
    onMismatch: 'refuses',
    windowMs: 24 * HOUR_MS,
    savesRejections: true,
  },
  // docs.stripe.com/metadata: values up to 500 characters.
  reference: { maxBytes: 500, alphabet: '\\x20-\\x7e' },
  lookUp: {
    // Our reference is metadata, docs.stripe.com/metadata.
    by: 'reference',
    // docs.stripe.com/search: lists are not subject to the delay of Search, which is "under 1 minute".
    // The list is asked first and Search after it, so the figure of the slower one holds for both.
    lagMs: MINUTE_MS,
    // docs.stripe.com/error-low-level, "Server errors": after a 500 Stripe may reconcile by hand and
    // create objects later, at no stated time. So a miss only schedules the next question, and what
    // ends a doubt is the saved answer under the key.
    absenceIsProof: false,
    // docs.stripe.com/api/payment_intents/list filters by `created`, with no limit of age.
    seesBackMs: 'forever',
    scheduleMs: [
      SECOND_MS,
      2 * SECOND_MS,
      5 * SECOND_MS,
      15 * SECOND_MS,
      MINUTE_MS,
      5 * MINUTE_MS,
      15 * MINUTE_MS,
    ],
    // docs.stripe.com/api/payment_intents/list and /api/refunds/list, by `created`.
    lists: true,
  },
  send: {
    // Unpublished. Long enough for an ordinary card authorisation; a slower one becomes a doubt.
    budgetMs: 8 * SECOND_MS,
    // Unpublished. Stripe's own SDK waits 80 s for an answer, so execution may take as long.
    horizonMs: 90 * SECOND_MS,
    // One TLS connection per send, opened for it: nothing of ours or Stripe's repeats a request.
    mayRepeat: false,
  },
  // docs.stripe.com/webhooks; where there is no signing secret they are refused, and look-ups go on.
  notifications: true,
  // docs.stripe.com/refunds: what succeeded was captured, so it is undone by a full refund.
  revert: true,
  patienceMs: HOUR_MS,
  // Stripe limits requests a second (docs.stripe.com/rate-limits): many intents must not come at once.
  jitterPercent: 20,
} as const satisfies ProviderContract;

/** The contract of `refund`; what is not here is as it is for a charge. */
export const STRIPE_REFUND: ProviderContract = {
  ...STRIPE_CHARGE,
  // docs.stripe.com/api/refunds/create: it is refused where more is asked for than is left. That depends
  // on other refunds and not on its own bytes alone, and a refusal of parameters is not saved.
  key: { ...STRIPE_CHARGE.key, savesRejections: false },
  // docs.stripe.com/api/refunds/list by `payment_intent`: a list, so without the delay of Search. A miss
  // is no proof for the same reason as with a charge.
  lookUp: { ...STRIPE_CHARGE.lookUp, lagMs: SECOND_MS },
  // Money that was given back is not taken again.
  revert: false,
};
