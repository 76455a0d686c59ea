/** One charge for the tests of the Stripe adapter, and the permits and questions about it. */
import { type ChargeCommand } from '../../domain/command';
import { type Provider } from '../../providers/provider';
import { stripe } from '../../providers/stripe/stripe';

export const REFERENCE = 'rs-0192aa-a';

export const command: ChargeCommand = {
  kind: 'charge',
  amount: 1000,
  currency: 'EUR',
  source: 'pm_card_visa',
  description: 'Order 1',
  metadata: { cart: '7' },
};

/** The adapter against a server at `origin`. */
export function stripeAt(origin: string): Provider {
  const [provider] = stripe.create(
    { STRIPE_API_KEY: 'sk_test_123', STRIPE_ACCOUNT: 'acct_123', STRIPE_API_BASE: origin },
    {},
  );
  if (provider === undefined) throw new Error('not registered');
  return provider;
}

/** A permit that ends in `budgetMs`. */
export function permit(budgetMs = 2_000) {
  return {
    providerKey: '0192aa-a1',
    reference: REFERENCE,
    deadline: performance.now() + budgetMs,
  };
}

/** The question about a charge that was sent just now. */
export function inquiry(budgetMs = 5_000) {
  const now = Date.now();
  return { ...permit(budgetMs), sent: { from: now - 5_000, until: now + 3_000 } };
}
