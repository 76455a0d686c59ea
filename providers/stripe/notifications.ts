/**
 * Stripe's notifications: proven by the SDK over the raw bytes (`Stripe-Signature`, timestamp and HMAC,
 * five minutes of tolerance: docs.stripe.com/webhooks/signature), then read. Only eight types tell of a
 * charge or a refund of ours; every other one is proven and says nothing.
 */
import Stripe from 'stripe';
import { z } from 'zod';
import { ConfigurationError } from '../../config/environment';
import { effectOfReference } from '../../domain/identity';
import { type ToldFinding } from '../../domain/told-effect';
import {
  type NotificationReader,
  type NotificationReading,
  type ReceivedNotification,
  type ToldEffect,
} from '../notification';
import { fromStripeAmount } from './money';
import { REFERENCE_NAME } from './request';

type Told = Omit<ToldEffect, 'providerKey'>;

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

const refundSchema = z.object({
  ...money,
  id: word(255),
  status: z.string().max(64).nullable(),
  payment_intent: word(255).nullable(),
  failure_reason: code,
  metadata: metadata.nullish(),
});

/**
 * The reader under `secrets`: one, or several of a rotation separated by commas or spaces; null where
 * there is none. Throws ConfigurationError, which never shows a secret.
 */
export function stripeNotifications(secrets: string): NotificationReader | null {
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
function proven({ body, headers }: ReceivedNotification, secret: string): unknown {
  try {
    const header = headers['stripe-signature'];
    if (typeof header !== 'string') return 'unproven';
    return Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S);
  } catch (error) {
    // The SDK verifies before it parses: every other error is about what was signed.
    return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'unproven' : undefined;
  }
}

function read(value: unknown): NotificationReading {
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

/** Null where the type tells of no effect of ours, undefined where it should and cannot be read. */
function toldBy(type: string, object: unknown): Told | null | undefined {
  if (type === 'charge.refunded') return undoneTold(object);
  if (/^refund\.(created|updated|failed)$/.test(type)) return refundTold(object);
  const [, happened] =
    /^payment_intent\.(succeeded|payment_failed|processing|canceled)$/.exec(type) ?? [];
  if (happened === undefined) return null;
  const shown = intentSchema.safeParse(object).data;
  return shown && toldOf(shown, intentFinding(happened, shown));
}

function intentFinding(happened: string, shown: z.infer<typeof intentSchema>): ToldFinding {
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
function undoneTold(object: unknown): Told | null | undefined {
  const shown = chargeSchema.safeParse(object).data;
  if (shown === undefined) return undefined;
  const { payment_intent: id, refunded } = shown;
  return id !== null && refunded ? toldOf(shown, { kind: 'reverted', providerId: id }) : null;
}

/**
 * A refund carries the reference that it was asked for under: one of its own, or that of the undoing of
 * a charge.
 */
function refundTold(object: unknown): Told | null | undefined {
  const shown = refundSchema.safeParse(object).data;
  if (shown === undefined) return undefined;
  const finding = refundFinding(shown);
  return finding && toldOf({ ...shown, metadata: shown.metadata ?? {} }, finding);
}

/** Null where the status is none that the contract knows: then nothing is told. */
function refundFinding(shown: z.infer<typeof refundSchema>): ToldFinding | null {
  const { id, status, payment_intent: intent, failure_reason: why, metadata: names } = shown;
  const effect = effectOfReference(names?.[REFERENCE_NAME] ?? '')?.effect;
  switch (status) {
    case 'succeeded':
      if (effect !== 'revert') return { kind: 'applied', providerId: id };
      return intent === null ? null : { kind: 'reverted', providerId: intent };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', providerId: id };
    case 'failed':
    case 'canceled':
      return { kind: 'rejected', code: why ?? status, declined: true };
    case null:
    default:
      return null;
  }
}

function toldOf(
  shown: Pick<z.infer<typeof chargeSchema>, 'amount' | 'currency' | 'metadata'>,
  finding: ToldFinding,
): Told | null {
  const currency = shown.currency.toUpperCase();
  const amount = fromStripeAmount(shown.amount, currency);
  // No charge of ours is in a currency that is not served.
  if (amount === null) return null;
  const reference = shown.metadata[REFERENCE_NAME] ?? null;
  return { reference, finding, amount, currency };
}
