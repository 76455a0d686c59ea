/**
 * Amounts in Stripe's units. They are ISO 4217 minor units but for three currencies, where the same
 * number would be a hundred times more or less money (docs.stripe.com/currencies, "Special cases").
 */

/** The króna has no minor unit; Stripe counts it in hundredths and takes whole krónur only. */
const STRIPE_UNITS: ReadonlyMap<string, number> = new Map([['ISK', 100]]);

/**
 * ISO gives the ariary two digits and Stripe none. Stripe's page lists the Ugandan shilling both as
 * without decimals and as one to be sent with two. Neither is guessed: they are not served.
 */
const NOT_SERVED: ReadonlySet<string> = new Set(['MGA', 'UGX']);

/** Minor units in Stripe's; null where the currency is not served. */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (NOT_SERVED.has(currency)) return null;
  return amount * (STRIPE_UNITS.get(currency) ?? 1);
}

/** Stripe's units in minor units; null where they are no whole number of them, or not served. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  if (NOT_SERVED.has(currency)) return null;
  const minor = amount / (STRIPE_UNITS.get(currency) ?? 1);
  return Number.isInteger(minor) ? minor : null;
}
