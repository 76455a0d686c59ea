/**
 * Whose money an API key moves. Idempotency keys are of one account in one mode
 * (docs.stripe.com/api/idempotent_requests), so a repeat through another account's key would be a second
 * charge: the account is recorded with each intent, and a worker with another one's key does not touch it.
 */
import { z } from 'zod';
import { ConfigurationError, optional } from '../../config/environment';
import { type AccountCheck } from '../provider';
import { type StripeClient } from './client';

/** The account and mode, for example `acct_1Abc/test`. Throws ConfigurationError where none is named. */
export function stripeAccount(env: NodeJS.ProcessEnv, apiKey: string): string {
  const id = optional(env, 'STRIPE_ACCOUNT', '');
  if (!/^acct_[A-Za-z0-9]{1,64}$/.test(id)) {
    throw new ConfigurationError(
      "STRIPE_ACCOUNT must name the key's account: acct_…, from the Dashboard's account settings.",
    );
  }
  // docs.stripe.com/keys: a key's prefix names its mode.
  return `${id}/${/^[rs]k_(org_)?test_/.test(apiKey) ? 'test' : 'live'}`;
}

const accountSchema = z.object({ object: z.literal('account'), id: z.string() });

/**
 * Asks Stripe whose key it is (docs.stripe.com/api/accounts/retrieve). A restricted key may not be allowed
 * to ask, and Stripe may be down: then it is not known, and the configuration is believed.
 */
export async function checkStripeAccount(
  client: StripeClient,
  account: string,
  deadline: number,
): Promise<AccountCheck> {
  const result = await client.ask(deadline, (sdk) => sdk.accounts.retrieveCurrent());
  if (result.kind !== 'answer') return { kind: 'unknown', why: result.why };
  const shown = accountSchema.safeParse(result.json).data;
  if (result.status !== 200 || shown === undefined) {
    return { kind: 'unknown', why: `answer ${result.status}` };
  }
  if (account.startsWith(`${shown.id}/`)) return { kind: 'same' };
  return {
    kind: 'other',
    why: `STRIPE_API_KEY is a key of ${shown.id}, STRIPE_ACCOUNT names ${account}`,
  };
}
