/**
 * Makes evidence of the notifications that wait for an intent. Under its row lock, in the transaction
 * that also writes where it stands after them (INV-7): a notification is either waiting, or in the
 * journal and acted on. Two who hear the same one: the second waits for the lock and finds none.
 */
import { type Effect, type Finding } from '../domain/journal';
import { findingFor, type Told } from '../domain/told-effect';
import { type IntentRow } from './intent-row';
import { note } from './observe-commits';
import { type Queryable } from './pool';

/** One that was matched just now. */
interface Matched {
  readonly eventId: string;
  readonly effect: Effect;
  readonly said: Told;
  /** The attempt whose request it answers; null where that cannot be told. */
  readonly attempt: number | null;
  readonly receivedAt: Date;
}

/**
 * Hears those about effects of this intent that were sent through this provider; false where there was
 * none. One that names an effect before anything was sent stays unmatched: it is not about us yet.
 */
export async function hearNotifications(tx: Queryable, intent: IntentRow): Promise<boolean> {
  const matched = await match(tx, intent);
  for (const one of matched) {
    await insertObservation(tx, intent, { ...one, finding: findingFor(one.said, intent) });
  }
  return matched.length > 0;
}

async function match(tx: Queryable, intent: IntentRow): Promise<readonly Matched[]> {
  const { rows } = await tx.query<Matched>({
    name: 'match-notifications',
    text: `
      with matched as (
        update provider_notifications told set intent = $1, matched_at = clock_timestamp()
        where about = $1 and provider = $2 and matched_at is null and said is not null
          and exists (select from attempts where intent = $1 and effect = told.effect)
        returning *
      )
      select event_id as "eventId", effect, said, received_at as "receivedAt",
        (select min(number) from attempts
          where intent = $1 and effect = matched.effect
            and provider_key = matched.said ->> 'provider_key'
          having count(*) = 1) as attempt
      from matched order by id`,
    values: [intent.id, intent.provider],
  });
  return rows;
}

/**
 * Dated by its arrival: what it tells is no younger. The id names the provider too, since only there
 * event ids are unique.
 */
async function insertObservation(
  tx: Queryable,
  { id, operation, provider }: IntentRow,
  { eventId, effect, attempt, finding, receivedAt }: Matched & { readonly finding: Finding },
): Promise<void> {
  await tx.query({
    name: 'insert-notification-observation',
    text: `insert into observations (intent, effect, attempt, source, finding, source_event_id,
        asked_at, observed_at)
      values ($1, $2, $3, 'notification', $4, $5, $6, greatest($6, clock_timestamp()))`,
    values: [id, effect, attempt, finding, `${provider}/${eventId}`, receivedAt],
  });
  note(tx, { kind: 'found', operation, provider, source: 'notification', finding });
}
