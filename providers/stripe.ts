/**
 * Stripe: a charge is a PaymentIntent, created and confirmed in one request; its undoing a full refund.
 * docs/stripe.md says what is guaranteed and how to run it.
 */
import { ConfigurationError } from '../config/environment';
import { type Command } from '../domain/command';
import { type Finding } from '../domain/journal';
import { type Inquiry, type Permit, type Provider, type RevertPermit } from './provider';
import { createStripeClient, type StripeAccess, type StripeClient } from './stripe-client';
import { STRIPE_CHARGE } from './stripe-contract';
import { lookUpCharge } from './stripe-look-up';
import { chargeFinding, revertFinding } from './stripe-mapping';
import { toStripeAmount } from './stripe-money';
import { chargeRequest, REFERENCE_NAME } from './stripe-request';

/** Registers Stripe; nothing where there is no key. Throws ConfigurationError, which shows no secret. */
export function createStripeProviders(access: StripeAccess): readonly Provider[] {
  if (access.apiKey === '') return [];
  if (!/^[rs]k_[A-Za-z0-9_]+$/.test(access.apiKey)) {
    throw new ConfigurationError('STRIPE_API_KEY is no secret or restricted key (sk_… or rk_…).');
  }
  return [createProvider(createStripeClient({ ...access, apiBase: originOf(access.apiBase) }))];
}

/** An origin and nothing more: a path would be lost, and credentials would be sent along. */
function originOf(base: string): string {
  const origin = URL.canParse(base) ? new URL(base).origin : '';
  if (!/^https?:/.test(origin) || origin !== base.replace(/\/$/, '')) {
    throw new ConfigurationError(
      'STRIPE_API_BASE is no origin: give scheme, host and port, for example https://api.stripe.com.',
    );
  }
  return origin;
}

function createProvider(client: StripeClient): Provider {
  return {
    name: 'stripe',
    contracts: { charge: STRIPE_CHARGE },
    close: () => client.close(),

    async send(command: Command, permit: Permit): Promise<Finding> {
      const { providerKey, reference, deadline } = permit;
      const request = chargeRequest(command, reference);
      if ('refused' in request) return { kind: 'rejected', code: request.refused, declined: false };
      const result = await client.ask(deadline, (stripe) =>
        stripe.paymentIntents.create(request.params, { idempotencyKey: providerKey }),
      );
      return chargeFinding(result, { command, reference });
    },

    async revert(command: Command, permit: RevertPermit): Promise<Finding> {
      const { providerKey, providerId, reference, deadline } = permit;
      const amount = toStripeAmount(command.amount, command.currency);
      if (amount === null) throw new Error('a charge in this currency cannot have been made');
      const metadata = { [REFERENCE_NAME]: reference };
      const result = await client.ask(deadline, (stripe) =>
        stripe.refunds.create(
          { payment_intent: providerId, amount, metadata },
          { idempotencyKey: providerKey },
        ),
      );
      return revertFinding(result, { command, providerId });
    },

    async lookUp(command: Command, inquiry: Inquiry): Promise<Finding> {
      return lookUpCharge({ client, command, inquiry, reference: inquiry.reference });
    },
  };
}
