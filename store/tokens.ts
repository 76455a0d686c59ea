/**
 * Tokens, as the administration makes, ends and lists them; run by the owner of the tables. A token
 * is 256 random bits and is returned once: the table keeps its SHA-256. An identity belongs to the
 * tenant and not to the token, so whoever comes with a rotated token continues its own retries.
 */
import { randomBytes } from 'node:crypto';
import { type Scope } from '../domain/scope';
import { type Pool, type Queryable } from './pool';
import { inTransaction } from './transaction';
import { tokenDigest } from './seed';

/** What is kept of a token. */
export interface TokenRecord {
  readonly id: string;
  /** Null: an operator's. */
  readonly tenant: string | null;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Null: it does not end by itself. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly state: 'live' | 'expired' | 'revoked';
}

/** A token just made: the only time that its text is known. */
export interface IssuedToken extends TokenRecord {
  readonly token: string;
}

/** Who is to hold a token, and for what. */
export interface NewToken {
  readonly tenant: string | null;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds from now; null: no end. */
  readonly livesMs: number | null;
}

const COLUMNS = `id, tenant, actor, scopes, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt",
  case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired'
    else 'live' end as state`;

/** Makes a token. The tenant must exist. */
export async function issueToken(db: Queryable, wanted: NewToken): Promise<IssuedToken> {
  // The prefix tells people and secret scanners what they have found.
  const token = `rsl_${randomBytes(32).toString('base64url')}`;
  const { rows } = await db.query<TokenRecord>(
    `insert into api_keys (token_digest, tenant, actor, scopes, expires_at)
     values ($1, $2, $3, $4, now() + $5::float8 * interval '1 millisecond')
     returning ${COLUMNS}`,
    [tokenDigest(token), wanted.tenant, wanted.actor, wanted.scopes, wanted.livesMs],
  );
  const [record] = rows;
  if (record === undefined) throw new Error('a token was inserted and not returned');
  return { ...record, token };
}

/** Milliseconds from now; `livesMs` undefined: the lifetime of the old token. */
export interface RotationTimes {
  readonly overlapMs: number;
  readonly livesMs: number | null | undefined;
}

/** A rotation: the new token, and the old one with its end. */
export interface Rotation {
  readonly issued: IssuedToken;
  readonly old: TokenRecord;
}

/**
 * A new token of the same holder and scopes; the old one works for `overlapMs` more, and no longer
 * than it would have anyway. The new one lives for `livesMs`, or as long as the old one was made for.
 * Null where there is no live token of that id.
 */
export function rotateToken(
  pool: Pool,
  id: string,
  { overlapMs, livesMs }: RotationTimes,
): Promise<Rotation | null> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<TokenRecord & { readonly lifetime: number | null }>(
      `with live as (
         select id as live_id, extract(epoch from expires_at - created_at) * 1000 as lifetime
         from api_keys
         where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
         for update)
       update api_keys set expires_at =
         least(expires_at, now() + $2::float8 * interval '1 millisecond')
       from live where id = live_id
       returning ${COLUMNS}, lifetime::float8 as lifetime`,
      [id, overlapMs],
    );
    const [rotated] = rows;
    if (rotated === undefined) return null;
    const { lifetime, ...old } = rotated;
    const { tenant, actor, scopes } = old;
    const wanted = { tenant, actor, scopes, livesMs: livesMs === undefined ? lifetime : livesMs };
    return { issued: await issueToken(tx, wanted), old };
  });
}

/** Ends a token at once; again, it says when that was. Null where there is none of that id. */
export async function revokeToken(db: Queryable, id: string): Promise<TokenRecord | null> {
  const { rows } = await db.query<TokenRecord>(
    `update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1
     returning ${COLUMNS}`,
    [id],
  );
  return rows[0] ?? null;
}

/** Whose tokens: one tenant's, every tenant's, or the operators'. */
export type Holders = { readonly tenant: string } | 'tenants' | 'operators';

/** Newest first. */
export async function listTokens(db: Queryable, holders: Holders): Promise<readonly TokenRecord[]> {
  const tenant = typeof holders === 'string' ? null : holders.tenant;
  const { rows } = await db.query<TokenRecord>(
    `select ${COLUMNS} from api_keys
     where (tenant is null) = $1 and ($2::text is null or tenant = $2) order by id desc`,
    [holders === 'operators', tenant],
  );
  return rows;
}
