/**
 * Stores a proven notification, whatever it says and of whomever: from here it is ours to act on. A
 * function of the database does it; the gateway's role can neither read the inbox nor write it.
 */
import { type Effect } from '../domain/journal';
import { type Told } from '../domain/told-effect';
import { type Queryable } from './pool';

/** One to store. */
export interface NewNotification {
  readonly provider: string;
  /** The provider's id of the event; it is stored once. */
  readonly eventId: string;
  readonly type: string;
  /** SHA-256 of the bytes as received; the bytes themselves are not kept. */
  readonly bodyDigest: Buffer;
  /** The effect of ours that it names; null where it names none. */
  readonly about: { readonly intentId: string; readonly effect: Effect } | null;
  /** What it says of an effect; null where its type says nothing. */
  readonly told: (Told & { readonly providerKey: string | null }) | null;
}

/** Whose intent a stored notification names. */
export interface NamedIntent {
  readonly intent: string;
  readonly tenant: string;
  /** It is not evidence yet, and the intent has not ended: its workflow should look again. */
  readonly isWaiting: boolean;
}

/** Stores it once; null where it tells nothing of any intent of this provider's. */
export async function takeInNotification(
  db: Queryable,
  { provider, eventId, type, bodyDigest, about, told }: NewNotification,
): Promise<NamedIntent | null> {
  const { rows } = await db.query<NamedIntent>({
    name: 'take-in-notification',
    text: `select intent, tenant, is_waiting as "isWaiting"
      from take_in_notification($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      provider,
      eventId,
      type,
      about?.intentId ?? null,
      about?.effect ?? null,
      told && wordsOf(told),
      bodyDigest,
    ],
  });
  return rows[0] ?? null;
}

/** Only what is named here is kept. */
function wordsOf({ finding, amount, currency, providerKey }: NonNullable<NewNotification['told']>) {
  return { finding, amount, currency, provider_key: providerKey };
}
