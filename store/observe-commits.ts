/**
 * Tells who wants to know what was committed. Noted while the transaction is open, told after its
 * COMMIT was acknowledged, forgotten where it was rolled back: so that what is counted equals what is
 * stored.
 */
import { type Committed } from '../domain/committed';
import { type Pool, type Queryable } from './pool';

type Observer = (what: Committed) => void;

const observers = new WeakMap<Pool, Observer>();
/** By the connection of the open transaction. */
const noted = new WeakMap<Queryable, Committed[]>();

/** From now on `observer` is told what transactions of the pool committed. It must not throw. */
export function observeCommits(pool: Pool, observer: Observer): void {
  observers.set(pool, observer);
}

/** Notes what the open transaction changes. */
export function note(tx: Queryable, what: Committed): void {
  const earlier = noted.get(tx);
  if (earlier === undefined) noted.set(tx, [what]);
  else earlier.push(what);
}

/** The transaction on this connection was committed. */
export function tellCommitted(pool: Pool, tx: Queryable): void {
  const observer = observers.get(pool);
  if (observer !== undefined) noted.get(tx)?.forEach(observer);
}

/** The transaction on this connection is over, whatever became of it. */
export function forgetNoted(tx: Queryable): void {
  noted.delete(tx);
}
