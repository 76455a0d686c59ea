/**
 * Statements of the gateway's role, each sent together with a statement that says for whom it acts: the
 * policies of row-level security (0004) let nothing else be seen or written.
 *
 * Both travel in one round trip and run in one implicit transaction, so the setting is in force before
 * the statement begins and, being local, is gone with it. No connection ever keeps a tenant. The public
 * ways to the same end cost 60 % (an explicit transaction) and 30 % (its four statements pipelined) more
 * time a statement; functions of the database cost the same but would move each statement into a
 * migration.
 */
import { type Brought, inOneTrip, type Statement } from './one-trip';
import { type Queryable } from './pool';

/** Whose rows may be seen: one tenant's, or (operators) everybody's. */
export type Visibility = { readonly tenant: string } | 'every-tenant';

const AS_TENANT = {
  name: 'act-for-tenant',
  text: "select set_config('resolute.tenant', $1, true)",
};

const AS_HOLDER = {
  name: 'act-for-holder',
  text: `select tenant, actor, scopes, default_provider as "defaultProvider",
      set_config('resolute.tenant', tenant, true)
    from find_caller($1)`,
};

/** Runs a statement inside what may be seen. In an open transaction that stays until its end. */
export async function queryAs<Row>(
  db: Queryable,
  visibility: Visibility,
  statement: Statement,
): Promise<Brought<Row>> {
  const tenant = visibility === 'every-tenant' ? '*' : visibility.tenant;
  const acting = { ...AS_TENANT, values: [tenant] };
  const [, result] = await inOneTrip<[Brought, Brought<Row>]>(
    db,
    [acting, statement],
    statement.name,
  );
  return result;
}

/** Who was asked for, and what the statement brought. */
export interface AskedFor<Holder, Row> {
  /** As `find_caller` (0005) tells it; null where the token is nobody's. */
  readonly holder: Holder | null;
  /** Of nobody's rows nothing is seen. */
  readonly rows: readonly Row[];
}

/**
 * The same for the tenant of whoever holds a token, found out in the same round trip. The database takes
 * the tenant from the token itself: nothing that the statement says can widen what it sees.
 */
export async function queryAsHolder<Holder, Row>(
  db: Queryable,
  tokenDigest: Buffer,
  statement: Statement,
): Promise<AskedFor<Holder, Row>> {
  const acting = { ...AS_HOLDER, values: [tokenDigest] };
  const [holders, { rows }] = await inOneTrip<[Brought<Holder>, Brought<Row>]>(
    db,
    [acting, statement],
    statement.name,
  );
  return { holder: holders.rows[0] ?? null, rows };
}
