/**
 * What Stripe lists of a span of time: PaymentIntents or refunds by `created`. The lists are consistent,
 * Search is not asked. Stripe shows the newest first and pages backwards; the order within a page is
 * turned, and the reconciler reads a span to its end before it moves on, so nothing depends on more.
 *
 * `created` is in whole seconds: the span is widened to them, and what is listed twice so is known.
 */
import { z } from 'zod';
import { type ToldFinding } from '../../domain/told-effect';
import { type ListedEffect, type Listing, type ListingRange } from '../provider';
import { type StripeClient } from './client';
import { fromStripeAmount } from './money';
import { REFERENCE_NAME } from './request';
import { type HttpResult } from '../transport';

const PAGE = 100;

const pageSchema = z.object({
  has_more: z.boolean(),
  data: z.array(z.unknown()).max(PAGE),
});

const shown = {
  amount: z.int(),
  currency: z.string().regex(/^[a-z]{3}$/),
  status: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullish(),
};
const effectSchema = z.discriminatedUnion('object', [
  z.object({
    ...shown,
    object: z.literal('payment_intent'),
    id: z.string().regex(/^pi_[A-Za-z0-9_]{1,250}$/),
  }),
  z.object({
    ...shown,
    object: z.literal('refund'),
    id: z.string().regex(/^(re|pyr)_[A-Za-z0-9_]{1,250}$/),
  }),
]);
type Shown = z.infer<typeof effectSchema>;

const NAMED = z.object({ id: z.string().regex(/^[A-Za-z0-9_]{1,255}$/) });

/** Lists a page of charges or refunds. */
export async function listStripe(client: StripeClient, range: ListingRange): Promise<Listing> {
  const { kind, since, until, cursor, deadline } = range;
  if (kind === 'message') return { kind: 'failed', why: 'Stripe has no messages' };
  const query = {
    created: { gte: Math.floor(since.getTime() / 1_000), lt: Math.ceil(until.getTime() / 1_000) },
    limit: PAGE,
    ...(cursor !== null && { starting_after: cursor }),
  };
  return listingOf(
    await client.ask(deadline, (sdk) =>
      kind === 'charge' ? sdk.paymentIntents.list(query) : sdk.refunds.list(query),
    ),
    kind === 'charge' ? 'payment_intent' : 'refund',
  );
}

function listingOf(result: HttpResult, object: Shown['object']): Listing {
  if (result.kind !== 'answer') return { kind: 'failed', why: result.why };
  const page = pageSchema.safeParse(result.json).data;
  if (result.status !== 200 || page === undefined) {
    return { kind: 'failed', why: `answer ${result.status}` };
  }
  const last = NAMED.safeParse(page.data.at(-1)).data?.id ?? null;
  // Without a place to go on from, the rest of the span would be skipped in silence.
  if (page.has_more && last === null) return { kind: 'failed', why: 'a page without an end' };
  const read = page.data.map((item) => effectOf(item, object));
  return {
    kind: 'page',
    effects: read.flatMap((one) => (typeof one === 'object' ? one : [])).reverse(),
    unreadable: read.filter((one) => one === 'unreadable').length,
    next: page.has_more ? last : null,
  };
}

/** What has had no effect, and will have none, is no effect. */
function effectOf(item: unknown, object: Shown['object']): ListedEffect | 'none' | 'unreadable' {
  const effect = effectSchema.safeParse(item).data;
  if (effect?.object !== object) return 'unreadable';
  const { id, status, amount, metadata } = effect;
  const finding = findingOf(status, id);
  if (finding === 'none' || finding === 'unreadable') return finding;
  const currency = effect.currency.toUpperCase();
  const minor = fromStripeAmount(amount, currency);
  if (minor === null) return 'unreadable';
  const reference = metadata?.[REFERENCE_NAME] ?? null;
  return { finding, amount: minor, currency, reference };
}

/**
 * docs.stripe.com/payments/paymentintents/lifecycle, docs.stripe.com/api/refunds/object. A charge that
 * was refunded is still `succeeded` in the list; whether that was ours is for the look-up to say.
 */
function findingOf(status: string | null, providerId: string): ToldFinding | 'none' | 'unreadable' {
  switch (status) {
    case 'succeeded':
      return { kind: 'applied', providerId };
    case 'processing':
    case 'pending':
    case 'requires_action':
    case 'requires_capture':
      return { kind: 'pending', providerId };
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'failed':
    case 'canceled':
      return 'none';
    case null:
    default:
      return 'unreadable';
  }
}
