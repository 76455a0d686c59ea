/**
 * Stripe: a charge is a PaymentIntent, created and confirmed in one request; its undoing a full refund.
 * A refund that was asked for is the same request under a name of its own.
 * docs/stripe.md says what is guaranteed and how to run it.
 */
import { ConfigurationError, optional } from '../../config/environment';
import { type ChargeCommand, type PaymentCommand, type RefundCommand } from '../../domain/command';
import { type Finding } from '../../domain/journal';
import {
  type Inquiry,
  type Permit,
  type Provider,
  type Registration,
  type RevertPermit,
} from '../provider';
import { checkStripeAccount, stripeAccount } from './account';
import { createStripeClient, type StripeClient } from './client';
import { STRIPE_CHARGE, STRIPE_REFUND } from './contract';
import { listStripe } from './listing';
import { lookUpCharge } from './look-up';
import { chargeFinding } from './mapping';
import { toStripeAmount } from './money';
import { stripeNotifications } from './notifications';
import { lookUpRefund } from './refund-look-up';
import { refundFinding, revertFinding } from './refund-mapping';
import { chargeRequest, REFERENCE_NAME } from './request';
import { type HttpResult } from '../transport';

/** Stripe, where there is a key. */
export const stripe: Registration = {
  contractsFrom: null,
  example: { STRIPE_API_KEY: 'sk_test_example', STRIPE_ACCOUNT: 'acct_example' },
  create(env, secrets) {
    const apiKey = optional(env, 'STRIPE_API_KEY', '');
    const apiBase = optional(env, 'STRIPE_API_BASE', 'https://api.stripe.com');
    const readNotification = stripeNotifications(secrets.stripe ?? '');
    if (apiKey === '') return [];
    // No message shows what was given: it may be a secret.
    if (!/^[rs]k_[A-Za-z0-9_]+$/.test(apiKey)) {
      throw new ConfigurationError('STRIPE_API_KEY is no secret or restricted key (sk_… or rk_…).');
    }
    const account = stripeAccount(env, apiKey);
    const client = createStripeClient({ apiKey, apiBase: originOf(apiBase) });
    return [createProvider(client, { account, readNotification })];
  },
};

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

function createProvider(
  client: StripeClient,
  { account, readNotification }: Pick<Provider, 'account' | 'readNotification'>,
): Provider {
  return {
    name: 'stripe',
    account,
    contracts: { charge: STRIPE_CHARGE, refund: STRIPE_REFUND },
    readNotification,
    checkAccount: (deadline) => checkStripeAccount(client, account, deadline),
    close: () => client.close(),

    send(command: PaymentCommand, permit: Permit): Promise<Finding> {
      return command.kind === 'charge'
        ? sendCharge(client, command, permit)
        : sendRefund(client, command, permit);
    },

    async revert(command: PaymentCommand, permit: RevertPermit): Promise<Finding> {
      if (command.kind !== 'charge') throw new Error(`a ${command.kind} cannot be undone here`);
      const { providerId } = permit;
      const result = await giveBack(client, { ...command, charge: providerId }, permit);
      return revertFinding(result, { command, providerId });
    },

    lookUp(command: PaymentCommand, inquiry: Inquiry): Promise<Finding> {
      const { reference } = inquiry;
      return command.kind === 'charge'
        ? lookUpCharge({ client, command, inquiry, reference })
        : lookUpRefund({ client, command, inquiry, reference });
    },

    listEffects: (range) => listStripe(client, range),
  };
}

async function sendCharge(
  client: StripeClient,
  command: ChargeCommand,
  { providerKey, reference, deadline }: Permit,
): Promise<Finding> {
  const request = chargeRequest(command, reference);
  if ('refused' in request) return { kind: 'rejected', code: request.refused, declined: false };
  const result = await client.ask(deadline, (sdk) =>
    sdk.paymentIntents.create(request.params, { idempotencyKey: providerKey }),
  );
  return chargeFinding(result, { command, reference });
}

async function sendRefund(
  client: StripeClient,
  command: RefundCommand,
  permit: Permit,
): Promise<Finding> {
  const result = await giveBack(client, command, permit);
  return refundFinding(result, { command, reference: permit.reference });
}

/** As with a charge the bytes depend on nothing but what is asked for and our reference. */
function giveBack(
  client: StripeClient,
  { charge, amount, currency }: Pick<RefundCommand, 'charge' | 'amount' | 'currency'>,
  { providerKey, reference, deadline }: Permit,
): Promise<HttpResult> {
  const units = toStripeAmount(amount, currency);
  if (units === null) throw new Error('a charge in this currency cannot have been made');
  const metadata = { [REFERENCE_NAME]: reference };
  return client.ask(deadline, (sdk) =>
    sdk.refunds.create(
      { payment_intent: charge, amount: units, metadata },
      { idempotencyKey: providerKey },
    ),
  );
}
