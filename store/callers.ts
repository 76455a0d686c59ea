/** Who holds a token. Read on every request, so that a revocation takes effect on the next one. */
import { type Scope } from '../domain/scope';
import { type IntentRow } from './intent-row';
import { type Queryable } from './pool';
import { queryAsHolder } from './query-as';
import { findStatement, type Identity } from './record-intent';

/** The holder of a valid token: one tenant's actor, or an operator (tenant null). */
export interface Caller {
  readonly tenant: string | null;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  /** The tenant's provider where a request names none; null for operators. */
  readonly defaultProvider: string | null;
}

/**
 * The caller by the SHA-256 of its token; null where the token is unknown, revoked or past its time.
 * A function of the database answers: the gateway's role itself can neither list nor read tokens.
 */
export async function findCaller(db: Queryable, tokenDigest: Buffer): Promise<Caller | null> {
  const { rows } = await db.query<Caller>({
    name: 'find-caller',
    text: `select tenant, actor, scopes, default_provider as "defaultProvider"
      from find_caller($1)`,
    values: [tokenDigest],
  });
  return rows[0] ?? null;
}

/** A token's holder, and what its key already names. */
export interface Recognised {
  readonly caller: Caller | null;
  /** Null where the identity was not claimed, or is no identity of the caller's tenant. */
  readonly existing: IntentRow | null;
}

/** {@link findCaller} and `findRecorded` in one round trip, for an identity that is likely the holder's. */
export async function findCallerAndIntent(
  db: Queryable,
  tokenDigest: Buffer,
  identity: Identity,
): Promise<Recognised> {
  const statement = findStatement(identity);
  const { holder, rows } = await queryAsHolder<Caller, IntentRow>(db, tokenDigest, statement);
  if (holder === null) return { caller: null, existing: null };
  const { tenant, actor, scopes, defaultProvider } = holder;
  const existing = tenant === identity.tenant ? (rows[0] ?? null) : null;
  return { caller: { tenant, actor, scopes, defaultProvider }, existing };
}
