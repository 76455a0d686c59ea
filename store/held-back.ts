/**
 * Intents that have not ended and whose workflow id is held by a completed run, so that nothing starts by
 * itself: marked for the desk and the alert, and unmarked as soon as a run takes them up.
 */
import { type Queryable } from './pool';

/** Ids by what became of waking them. */
export interface WokenIntents {
  readonly woken: readonly string[];
  readonly completed: readonly string[];
}

/**
 * Returns those that were not marked before. Race: a run ends its intent and completes while it is being
 * woken. The outcome was committed first, so that the row is final here and is left alone.
 */
export async function markHeldBack(
  db: Queryable,
  { woken, completed }: WokenIntents,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string; isHeld: boolean }>({
    name: 'mark-held-back',
    text: `update intents
      set held_back_since = case when id = any ($1::uuid[]) then clock_timestamp() end
      where ((id = any ($1::uuid[]) and held_back_since is null)
          or (id = any ($2::uuid[]) and held_back_since is not null))
        and status not in ('succeeded', 'failed', 'canceled')
      returning id, held_back_since is not null as "isHeld"`,
    values: [completed, woken],
  });
  return rows.filter(({ isHeld }) => isHeld).map(({ id }) => id);
}
