/**
 * Records that an intent's cancel was asked for. Race with a send: both take the intent's row lock, so
 * exactly one is first (INV-9). A cancel that is first stops every attempt to apply, since `send`
 * re-derives its step from the locked row; one that comes second finds an attempt open, and what is
 * applied is undone.
 */
import { type Queryable } from './pool';
import { queryAs } from './query-as';

/** Whose cancel of which intent. */
export interface CancelRequest {
  readonly id: string;
  readonly tenant: string;
  /** The holder of the token, or what is known of whoever pressed a button; for the record. */
  readonly by: string;
}

/**
 * Notes the request once; later ones change nothing. A final intent is left alone. The next step is due
 * at once, so that the auditor repeats the wake-up should it get lost.
 */
export async function requestCancel(
  db: Queryable,
  { id, tenant, by }: CancelRequest,
): Promise<void> {
  await queryAs(
    db,
    { tenant },
    {
      name: 'request-cancel',
      text: `update intents
      set cancel_requested_at = clock_timestamp(), cancel_requested_by = $2,
        next_step_at = clock_timestamp()
      where id = $1 and cancel_requested_at is null
        and status not in ('succeeded', 'failed', 'canceled')`,
      values: [id, by],
    },
  );
}
