/**
 * The simulator's notifications: signed by Standard Webhooks (id, timestamp and body under a shared
 * secret, five minutes of tolerance), about one charge or refund as the provider shows it.
 */
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { ConfigurationError } from '../../config/environment';
import { type ToldFinding } from '../../domain/told-effect';
import {
  type Notification,
  type NotificationReader,
  type NotificationReading,
  type ReceivedNotification,
  type ToldEffect,
} from '../notification';

const PREFIX = 'whsec_';

/** Printable, so that it may stand in a log line, a row and a header as it is. */
const word = (longest: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${longest}}$`));

const eventIdSchema = word(255);
const eventSchema = z.object({ type: word(100), data: z.unknown() });
const effectSchema = z.object({
  id: word(255),
  reference: z.string().max(255).nullable(),
  amount: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  decline_code: word(64).catch('declined'),
});
type ShownEffect = z.infer<typeof effectSchema>;

/** The types that tell of an effect; every other one says nothing. */
const TELLING = /^(charge|refund)\.(succeeded|pending|requires_action|failed|voided)$/;

/**
 * The reader under `secrets`: one, or several of a rotation separated by commas or spaces, each
 * `whsec_<base64>`; null where there is none. Throws ConfigurationError, which never shows a secret.
 */
export function simulatorNotifications(secrets: string): NotificationReader | null {
  const hooks = secrets
    .split(/[\s,]+/)
    .filter((secret) => secret !== '')
    .map(webhookOf);
  if (hooks.length === 0) return null;
  return (received) =>
    hooks.some((hook) => isSigned(hook, received))
      ? read(received)
      : { kind: 'unproven', why: 'The signature is missing, not ours, or older than 5 minutes.' };
}

function webhookOf(secret: string): Webhook {
  try {
    if (!secret.startsWith(PREFIX)) throw new Error('prefix missing');
    return new Webhook(secret);
  } catch (error) {
    throw new ConfigurationError(
      'RESOLUTE_SIMULATOR_SIGNING_SECRET is not one Standard Webhooks secret or several (whsec_<base64>, separated by commas or spaces).',
      { cause: error },
    );
  }
}

function isSigned(hook: Webhook, { body, headers }: ReceivedNotification): boolean {
  try {
    hook.verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    // The library has no other way to say no; why it did is of use to a forger alone.
    return false;
  }
}

function read({ body, headers }: ReceivedNotification): NotificationReading {
  const eventId = eventIdSchema.safeParse(headers['webhook-id']);
  const event = eventSchema.safeParse(jsonOf(body));
  if (!eventId.success || !event.success) {
    return { kind: 'malformed', why: 'Not an event with webhook-id, type and data.' };
  }
  const { type, data } = event.data;
  const told = toldOf(type, data);
  if (told === 'unreadable') {
    return { kind: 'malformed', why: `The effect of a ${type} cannot be read.` };
  }
  const notification: Notification = { eventId: eventId.data, type, told };
  return { kind: 'proven', notification };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function toldOf(type: string, data: unknown): ToldEffect | 'unreadable' | null {
  const [, object = '', happened] = TELLING.exec(type) ?? [];
  if (happened === undefined) return null;
  const member = z.record(z.string(), z.unknown()).safeParse(data).data?.[object];
  const shown = effectSchema.safeParse(member);
  if (!shown.success) return 'unreadable';
  const { reference, amount, currency } = shown.data;
  return {
    reference,
    providerKey: null,
    finding: findingOf(happened, shown.data),
    amount,
    currency,
  };
}

function findingOf(happened: string, { id, decline_code: code }: ShownEffect): ToldFinding {
  switch (happened) {
    case 'succeeded':
      return { kind: 'applied', providerId: id };
    case 'failed':
      return { kind: 'rejected', code, declined: true };
    case 'voided':
      return { kind: 'reverted', providerId: id };
    default:
      // `pending` and `requires_action`: it exists, and its end comes later.
      return { kind: 'pending', providerId: id };
  }
}
