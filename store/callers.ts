/** Who holds a token. Read on every request, so that a revocation takes effect on the next one. */
import { type Scope } from '../domain/scope';
import { type IntentRow } from './intent-row';
import { type Queryable } from './pool';
import { queryAsHolders } from './query-as';
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

/** Who asks, for which identity: likely one of their own tenant. */
export interface Ask {
  /** SHA-256 of the token, 32 bytes. */
  readonly token: Buffer;
  readonly identity: Identity;
}

/** A token's holder, and what its key already names. */
export interface CallerAndIntent {
  readonly caller: Caller | null;
  /** Null where the identity was not claimed, or is no identity of the caller's tenant. */
  readonly existing: IntentRow | null;
}

/** {@link findCaller} and `findRecorded` for each, all in one round trip; in the order of the asks. */
export async function findCallersAndIntents(
  db: Queryable,
  asks: readonly Ask[],
): Promise<readonly CallerAndIntent[]> {
  const found = await queryAsHolders<Holder, IntentRow>(
    db,
    asks.map(({ token, identity }) => ({ tokenDigest: token, statement: findStatement(identity) })),
  );
  return found.map(({ holder, rows }, index) => {
    const { tenant, actor, scopes, defaultProvider } = holder;
    if (actor === null || scopes === null) return { caller: null, existing: null };
    const existing = tenant === asks[index]?.identity.tenant ? (rows[0] ?? null) : null;
    return { caller: { tenant, actor, scopes, defaultProvider }, existing };
  });
}

/** As the row has it: of nobody all members are null. */
type Holder = { readonly [Member in keyof Caller]: Caller[Member] | null };
