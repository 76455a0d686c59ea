/**
 * What a refund of Stripe's means: as an effect of its own that was asked for, and as the undoing of a
 * charge. What is shown is compared with what was asked for; a status that is not listed here is
 * unknown (INV-5).
 */
import { z } from 'zod';
import { type ChargeCommand, type RefundCommand } from '../../domain/command';
import { type Finding } from '../../domain/journal';
import { errorFinding } from './errors';
import { code, differs, unknown } from './mapping';
import { toStripeAmount } from './money';
import { REFERENCE_NAME } from './request';
import { type HttpResult } from '../transport';

const refundSchema = z.object({
  id: z.string().regex(/^(re|pyr)_[A-Za-z0-9_]{1,250}$/),
  object: z.literal('refund'),
  amount: z.int(),
  currency: z.string().max(16),
  status: z.string().max(64).nullable(),
  failure_reason: code,
  payment_intent: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
type ShownRefund = z.infer<typeof refundSchema>;

/** What was asked to be given back. */
export interface ExpectedRefund {
  readonly command: RefundCommand;
  readonly reference: string;
}

/** The finding of a refund that was asked for. */
export function refundFinding(result: HttpResult, expected: ExpectedRefund): Finding {
  if (result.kind === 'not_sent') return { ...result, retryAfterMs: null };
  if (result.kind === 'lost') return unknown(result.why);
  return result.status === 200 ? shownRefund(result.json, expected) : errorFinding(result);
}

/** One refund as it is shown; anything unreadable is unknown, a difference a conflict. */
export function shownRefund(value: unknown, { command, reference }: ExpectedRefund): Finding {
  const shown = refundSchema.safeParse(value).data;
  if (shown === undefined) return unknown('an unreadable answer');
  const difference = differs([
    ['payment intent', shown.payment_intent, command.charge],
    ['amount', shown.amount, toStripeAmount(command.amount, command.currency)],
    ['currency', shown.currency, command.currency.toLowerCase()],
    ['reference', shown.metadata?.[REFERENCE_NAME], reference],
  ]);
  if (difference !== null) return { kind: 'conflict', what: `${shown.id}: ${difference}` };
  return byStatus(shown, { kind: 'applied', providerId: shown.id });
}

/** docs.stripe.com/api/refunds/object#refund_object-status */
function byStatus(shown: ShownRefund, succeeded: Finding): Finding {
  switch (shown.status) {
    case 'succeeded':
      return succeeded;
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
  return byStatus(shown, { kind: 'reverted', providerId });
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
