/**
 * What a PaymentIntent of Stripe's means. What is shown is compared with what was asked for; a status
 * that is not listed here is unknown (INV-5).
 */
import { z } from 'zod';
import { type ChargeCommand } from '../../domain/command';
import { type Finding } from '../../domain/journal';
import { errorFinding } from './errors';
import { toStripeAmount } from './money';
import { REFERENCE_NAME } from './request';
import { type HttpResult } from '../transport';

/** A code of Stripe's; anything else is left out rather than kept for ever. */
export const code = z
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

/** One member: its name, as it is shown, as it was asked for. */
type Comparison = readonly [what: string, shown: unknown, expected: unknown];

/** The first difference in words; null where there is none. */
export function differs(comparisons: readonly Comparison[]): string | null {
  const wrong = comparisons.find(([, shown, expected]) => shown !== expected);
  if (wrong === undefined) return null;
  const [what, shown, expected] = wrong;
  return `${what} is ${String(shown).slice(0, 80)}, expected ${String(expected)}`;
}

/** A doubt that no saved answer stands behind. */
export function unknown(why: string): Finding {
  return { kind: 'unknown', why, frozen: false };
}
