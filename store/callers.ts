/** Who holds a token. Read on every request, so that a revocation takes effect on the next one. */
import { type Scope } from '../domain/scope';
import { type Queryable } from './pool';

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
