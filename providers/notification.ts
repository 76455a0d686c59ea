/**
 * What an adapter makes of a request that claims to come from its provider. The signature is the only
 * credential: nothing of the content is read before it is proven, and nothing is stored of a forged one.
 */
import { type IncomingHttpHeaders } from 'node:http';
import { type Told } from '../domain/told-effect';

/** The request as it was received: signatures cover bytes, not their meaning. */
export interface ReceivedNotification {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** What a notification says of one effect; amounts are compared with the intent, not by the adapter. */
export interface ToldEffect extends Told {
  /** The reference that the effect carries, ours or somebody else's; null where it has none. */
  readonly reference: string | null;
  /** The key of the request that it answers, where the provider tells; else null. */
  readonly providerKey: string | null;
}

/** A proven notification. */
export interface Notification {
  /** The provider's id of the event, the same in every delivery of it; 1–255 printable ASCII. */
  readonly eventId: string;
  /** The provider's word for what happened; 1–100 printable ASCII. */
  readonly type: string;
  /** Null where the type is none that tells of an effect. */
  readonly told: ToldEffect | null;
}

/**
 * - `proven`: signed with one of our secrets, in time, and readable
 * - `unproven`: not signed, signed by somebody else, or too old; `why` never quotes the request
 * - `malformed`: signed, and still not readable
 */
export type NotificationReading =
  | { readonly kind: 'proven'; readonly notification: Notification }
  | { readonly kind: 'unproven'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string };

/** Verifies and reads. Never throws on anything that a stranger can send. */
export type NotificationReader = (received: ReceivedNotification) => NotificationReading;
