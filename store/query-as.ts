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

/** Of a token that is nobody's it brings a row too, and lets nothing be seen: not what one before could. */
const AS_HOLDER = {
  name: 'act-for-holder',
  text: `select tenant, actor, scopes, default_provider as "defaultProvider",
      set_config('resolute.tenant', coalesce(tenant, ''), true)
    from (values (true)) as always left join find_caller($1) on true`,
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

/** A statement for whoever holds a token. */
export interface AskOfHolder {
  /** SHA-256, 32 bytes. */
  readonly tokenDigest: Buffer;
  readonly statement: Statement;
}

/** Who was asked for, and what the statement brought. */
export interface AskedFor<Holder, Row> {
  /** As `find_caller` (0005) tells it; where the token is nobody's, all members are null. */
  readonly holder: Holder;
  /** Of nobody's rows nothing is seen. */
  readonly rows: readonly Row[];
}

/**
 * The same for the tenants of whoever holds each token, found out in the same round trip. The database
 * takes the tenant from the token itself: nothing that a statement says can widen what it sees.
 */
export async function queryAsHolders<Holder, Row>(
  db: Queryable,
  asks: readonly AskOfHolder[],
): Promise<readonly AskedFor<Holder, Row>[]> {
  const statements = asks.flatMap(({ tokenDigest, statement }) => [
    { ...AS_HOLDER, values: [tokenDigest] },
    statement,
  ]);
  const results = await inOneTrip(db, statements, asks[0]?.statement.name);
  return asks.map((_ask, index) => {
    const [holder] = (results[2 * index]?.rows ?? []) as readonly Holder[];
    if (holder === undefined) throw new Error('a join from one row brought none');
    return { holder, rows: (results[2 * index + 1]?.rows ?? []) as readonly Row[] };
  });
}
