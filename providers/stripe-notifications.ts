/**
 * Stripe's notifications: proven by the SDK over the raw bytes (`Stripe-Signature`, timestamp and HMAC,
 * five minutes of tolerance: docs.stripe.com/webhooks/signature), then read. Only five types tell of a
 * charge of ours; every other one is proven and says nothing.
 */
import { type IncomingHttpHeaders } from 'node:http';
import Stripe from 'stripe';
import { z } from 'zod';
import { ConfigurationError } from '../config/environment';
import { type Finding } from '../domain/journal';
import { fromStripeAmount } from './stripe-money';
import { REFERENCE_NAME } from './stripe-request';

/** A request as it was received: signatures cover bytes, not their meaning. */
interface Received {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** What a notification says of one charge; amounts in minor units, currency in upper case. */
interface Told {
  readonly reference: string | null;
  /** The key of the request that it answers; null where it came of itself, or another way. */
  readonly providerKey: string | null;
  readonly finding: Extract<Finding, { kind: 'applied' | 'rejected' | 'pending' | 'reverted' }>;
  readonly amount: number;
  readonly currency: string;
}

type Reading =
  | {
      readonly kind: 'proven';
      readonly notification: {
        readonly eventId: string;
        readonly type: string;
        readonly told: Told | null;
      };
    }
  | { readonly kind: 'unproven' | 'malformed'; readonly why: string };

const TOLERANCE_S = 300;

/** Printable, so that it may stand in a log line, a row and a header as it is. */
const word = (longest: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${longest}}$`));
const code = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/)
  .nullish()
  .catch(null);
const metadata = z.record(z.string(), z.string());
const money = { amount: z.int(), currency: z.string().regex(/^[a-z]{3}$/) };

const eventSchema = z.object({
  id: word(255),
  type: word(100),
  data: z.object({ object: z.unknown() }),
  request: z.object({ idempotency_key: word(255).nullish().catch(null) }).nullish(),
});

const intentSchema = z.object({
  ...money,
  id: word(255),
  metadata,
  cancellation_reason: code,
  last_payment_error: z.object({ code, decline_code: code }).nullish(),
});

const chargeSchema = z.object({
  ...money,
  payment_intent: word(255).nullable(),
  metadata,
  refunded: z.boolean(),
});

/**
 * The reader under `secrets`: one, or several of a rotation separated by commas or spaces; null where
 * there is none. Throws ConfigurationError, which never shows a secret.
 */
export function stripeNotifications(secrets: string): ((received: Received) => Reading) | null {
  const all = secrets.split(/[\s,]+/).filter((secret) => secret !== '');
  if (all.some((secret) => !/^whsec_[A-Za-z0-9+/=]+$/.test(secret))) {
    throw new ConfigurationError(
      'STRIPE_WEBHOOK_SECRET is not one signing secret or several (whsec_…, separated by commas or spaces).',
    );
  }
  if (all.length === 0) return null;
  return (received) => {
    for (const secret of all) {
      const event = proven(received, secret);
      if (event !== 'unproven') return read(event);
    }
    return {
      kind: 'unproven',
      why: 'The signature is missing, not ours, or older than 5 minutes.',
    };
  };
}

/** The event, undefined where it is signed and no event. */
function proven({ body, headers }: Received, secret: string): unknown {
  try {
    const header = headers['stripe-signature'];
    if (typeof header !== 'string') return 'unproven';
    return Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S);
  } catch (error) {
    // The SDK verifies before it parses: every other error is about what was signed.
    return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'unproven' : undefined;
  }
}

function read(value: unknown): Reading {
  const event = eventSchema.safeParse(value).data;
  if (event === undefined)
    return { kind: 'malformed', why: 'Not an event with id, type and data.' };
  const { id, type, data, request } = event;
  const told = toldBy(type, data.object);
  if (told === undefined) {
    return { kind: 'malformed', why: `The object of a ${type} cannot be read.` };
  }
  const notification = {
    eventId: id,
    type,
    told: told && { ...told, providerKey: request?.idempotency_key ?? null },
  };
  return { kind: 'proven', notification };
}

/** Null where the type tells of no charge of ours, undefined where it should and cannot be read. */
function toldBy(type: string, object: unknown): Told | null | undefined {
  if (type === 'charge.refunded') return refundTold(object);
  const [, happened] =
    /^payment_intent\.(succeeded|payment_failed|processing|canceled)$/.exec(type) ?? [];
  if (happened === undefined) return null;
  const shown = intentSchema.safeParse(object).data;
  return shown && toldOf(shown, intentFinding(happened, shown));
}

function intentFinding(happened: string, shown: z.infer<typeof intentSchema>): Told['finding'] {
  const { id, last_payment_error: failure, cancellation_reason: reason } = shown;
  switch (happened) {
    case 'succeeded':
      return { kind: 'applied', providerId: id };
    case 'payment_failed': {
      const code = failure?.decline_code ?? failure?.code ?? 'declined';
      return { kind: 'rejected', code, declined: true };
    }
    case 'canceled':
      return {
        kind: 'rejected',
        code: reason ? `canceled_${reason}` : 'canceled',
        declined: false,
      };
    default:
      // `processing`: it exists, and its end comes later.
      return { kind: 'pending', providerId: id };
  }
}

/** A charge carries its PaymentIntent's metadata. Refunded in part, it is still there: nothing is told. */
function refundTold(object: unknown): Told | null | undefined {
  const shown = chargeSchema.safeParse(object).data;
  if (shown === undefined) return undefined;
  const { payment_intent: id, refunded } = shown;
  return id !== null && refunded ? toldOf(shown, { kind: 'reverted', providerId: id }) : null;
}

function toldOf(
  shown: Pick<z.infer<typeof chargeSchema>, 'amount' | 'currency' | 'metadata'>,
  finding: Told['finding'],
): Told | null {
  const currency = shown.currency.toUpperCase();
  const amount = fromStripeAmount(shown.amount, currency);
  // No charge of ours is in a currency that is not served.
  if (amount === null) return null;
  const reference = shown.metadata[REFERENCE_NAME] ?? null;
  return { reference, providerKey: null, finding, amount, currency };
}
