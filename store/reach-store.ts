/** For readiness: whether the store answers this process's role, its tables included. */
import { type Queryable } from './pool';

/** Rejects where the store cannot be used. */
export async function reachStore(db: Queryable): Promise<void> {
  await db.query('select from intents limit 0');
}
