/**
 * A charge in the words of Stripe's API, or why it has none. The bytes depend on nothing but the
 * command and our reference: Stripe refuses a repeat under the key whose parameters differ.
 */
import type Stripe from 'stripe';
import { type ChargeCommand } from '../../domain/command';
import { toStripeAmount } from './money';

/** The metadata name under which Stripe keeps our reference. */
export const REFERENCE_NAME = 'resolute_reference';

/** The caller's metadata goes under this prefix, so that it can never pass for ours. */
const CALLER_PREFIX = 'caller_';
/** docs.stripe.com/metadata: up to 40 characters, no square brackets. */
const LONGEST_NAME = 40;

/** A request, or the code under which the charge is refused before anything is sent. */
export type ChargeRequest =
  { readonly params: Stripe.PaymentIntentCreateParams } | { readonly refused: string };

/** Creates and confirms in one call: at no moment is there an intent of ours that nobody confirms. */
export function chargeRequest(command: ChargeCommand, reference: string): ChargeRequest {
  const { currency, source, description } = command;
  const amount = toStripeAmount(command.amount, currency);
  if (amount === null) return { refused: 'currency_not_served' };
  const metadata = callerMetadata(command.metadata);
  if (metadata === null) return { refused: 'metadata_name_not_possible' };
  return {
    params: {
      amount,
      currency: currency.toLowerCase(),
      payment_method: source,
      // Cards answer at once; what takes days to clear would have another contract. It also needs no
      // return_url, since nothing redirects.
      payment_method_types: ['card'],
      capture_method: 'automatic',
      confirm: true,
      // Nobody is there to act: a card that asks for its holder is declined, not left half-way.
      off_session: true,
      ...(description !== null && description !== '' && { description }),
      metadata: { ...metadata, [REFERENCE_NAME]: reference },
    },
  };
}

/** Null where a name does not fit. Stripe reads an empty value as "take it away": it is left out. */
function callerMetadata(given: Readonly<Record<string, string>>): Record<string, string> | null {
  const entries = Object.entries(given).map(
    ([name, value]) => [CALLER_PREFIX + name, value] as const,
  );
  if (entries.some(([name]) => name.length > LONGEST_NAME || /[[\]]/.test(name))) return null;
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
