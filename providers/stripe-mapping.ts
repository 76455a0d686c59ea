/**
 * What Stripe's objects mean: a PaymentIntent, a refund. What is shown is compared with what was asked
 * for; a status that is not listed here is unknown (INV-5).
 */
import { z } from 'zod';
import { type ChargeCommand } from '../domain/command';
import { type Finding } from '../domain/journal';
import { errorFinding } from './stripe-errors';
import { toStripeAmount } from './stripe-money';
import { REFERENCE_NAME } from './stripe-request';
import { type HttpResult } from './transport';

/** A code of Stripe's; anything else is left out rather than kept for ever. */
const code = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/)
  .nullish()
  .catch(null);

const intentSchema = z.object({
  id: z.string().regex(/^pi_[A-Za-z0-9_]{1,250}$/),
  object: z.literal('payment_intent'),
  amount: z.int(),
  amount_received: z.int(),
  currency: z.string().max(16),
  status: z.string().max(64),
  metadata: z.record(z.string(), z.string()),
  cancellation_reason: code,
  last_payment_error: z.object({ code, decline_code: code }).nullish(),
});
type ShownIntent = z.infer<typeof intentSchema>;

/** What we asked for, to compare with what is shown. */
export interface Expected {
  readonly command: ChargeCommand;
  readonly reference: string;
}

/** The finding of a send. */
export function chargeFinding(result: HttpResult, expected: Expected): Finding {
  if (result.kind === 'not_sent') return { ...result, retryAfterMs: null };
  if (result.kind === 'lost') return unknown(result.why);
  if (result.status === 200) return intentFinding(result.json, expected);
  return declinedUnlessAlive(result, expected);
}

/**
 * docs.stripe.com/api/errors: an error about a PaymentIntent carries it. Where that is no dead one,
 * the intent is believed and not the error.
 */
function declinedUnlessAlive(
  answer: Extract<HttpResult, { kind: 'answer' }>,
  expected: Expected,
): Finding {
  const finding = errorFinding(answer);
  const error = z.object({ payment_intent: z.unknown() }).safeParse(answer.json?.['error']).data;
  if (finding.kind !== 'rejected' || !finding.declined || !error?.payment_intent) {
    return finding;
  }
  const shown = intentFinding(error.payment_intent, expected);
  return shown.kind === 'rejected' ? finding : shown;
}

/** One PaymentIntent as it is shown; anything unreadable is unknown, a difference a conflict. */
export function intentFinding(value: unknown, { command, reference }: Expected): Finding {
  const shown = intentSchema.safeParse(value).data;
  if (shown === undefined) return unknown('an unreadable answer');
  const { id, status } = shown;
  const amount = toStripeAmount(command.amount, command.currency);
  const difference = differs([
    ['amount', shown.amount, amount],
    ['currency', shown.currency, command.currency.toLowerCase()],
    ['reference', shown.metadata[REFERENCE_NAME], reference],
    ['amount received', status === 'succeeded' ? shown.amount_received : amount, amount],
  ]);
  if (difference !== null) return { kind: 'conflict', what: `${id}: ${difference}` };
  return byStatus(shown);
}

/** docs.stripe.com/payments/paymentintents/lifecycle */
function byStatus({ id, status, last_payment_error: failure, ...shown }: ShownIntent): Finding {
  switch (status) {
    case 'succeeded':
      return { kind: 'applied', providerId: id };
    case 'processing':
    case 'requires_action':
    case 'requires_capture':
      return { kind: 'pending', providerId: id };
    case 'requires_payment_method': {
      // Without an error the confirmation has not run, or not ended: that is no decline.
      if (!failure) return unknown('created, and not confirmed');
      const code = failure.decline_code ?? failure.code ?? 'declined';
      return { kind: 'rejected', code, declined: true };
    }
    // What succeeded cannot be canceled, so nothing was taken and nothing will be.
    case 'canceled': {
      const reason = shown.cancellation_reason;
      return {
        kind: 'rejected',
        code: reason ? `canceled_${reason}` : 'canceled',
        declined: false,
      };
    }
    default:
      return unknown('a status that is not in the contract');
  }
}

const refundSchema = z.object({
  id: z.string().regex(/^(re|pyr)_[A-Za-z0-9_]{1,250}$/),
  object: z.literal('refund'),
  amount: z.int(),
  currency: z.string().max(16),
  status: z.string().max(64).nullable(),
  failure_reason: code,
  payment_intent: z.string().nullable(),
});

/** A charge and the PaymentIntent that is to be undone. */
export interface ExpectedRevert {
  readonly command: ChargeCommand;
  readonly providerId: string;
}

/** The finding of the full refund that undoes a charge. */
export function revertFinding(result: HttpResult, expected: ExpectedRevert): Finding {
  if (result.kind === 'not_sent') return { ...result, retryAfterMs: null };
  if (result.kind === 'lost') return unknown(result.why);
  if (result.status !== 200) return errorFinding(result);
  const shown = refundSchema.safeParse(result.json).data;
  if (shown === undefined) return unknown('an unreadable answer');
  const { command, providerId } = expected;
  const difference = differs([
    ['payment intent', shown.payment_intent, providerId],
    ['amount', shown.amount, toStripeAmount(command.amount, command.currency)],
    ['currency', shown.currency, command.currency.toLowerCase()],
  ]);
  if (difference !== null) return { kind: 'conflict', what: `${shown.id}: ${difference}` };
  // docs.stripe.com/api/refunds/object#refund_object-status
  switch (shown.status) {
    case 'succeeded':
      return { kind: 'reverted', providerId };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', providerId: shown.id };
    case 'failed':
    case 'canceled':
      return { kind: 'rejected', code: shown.failure_reason ?? shown.status, declined: true };
    case null:
    default:
      return unknown('a status that is not in the contract');
  }
}

const refundListSchema = z.object({ has_more: z.boolean(), data: z.array(refundSchema) });

/** Whether refunds that have succeeded add up to the whole charge; null where the list is unreadable. */
export function isUndone(list: unknown, { command, providerId }: ExpectedRevert): boolean | null {
  const shown = refundListSchema.safeParse(list).data;
  if (shown === undefined || shown.data.some((one) => one.payment_intent !== providerId)) {
    return null;
  }
  const whole = toStripeAmount(command.amount, command.currency) ?? Infinity;
  const back = shown.data
    .filter((one) => one.status === 'succeeded')
    .reduce((sum, one) => sum + one.amount, 0);
  if (back < whole && shown.has_more) return null;
  return back >= whole;
}

type Comparison = readonly [what: string, shown: unknown, expected: unknown];

function differs(comparisons: readonly Comparison[]): string | null {
  const wrong = comparisons.find(([, shown, expected]) => shown !== expected);
  if (wrong === undefined) return null;
  const [what, shown, expected] = wrong;
  return `${what} is ${String(shown).slice(0, 80)}, expected ${String(expected)}`;
}

function unknown(why: string): Finding {
  return { kind: 'unknown', why, frozen: false };
}
