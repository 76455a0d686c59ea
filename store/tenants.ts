/** Tenants, as the administration makes and lists them; run by the owner of the tables. */
import { type Queryable } from './pool';

/** A tenant. */
export interface Tenant {
  readonly id: string;
  /** The provider where a request names none. */
  readonly defaultProvider: string;
  readonly createdAt: Date;
}

const COLUMNS = 'id, default_provider as "defaultProvider", created_at as "createdAt"';

/** Makes a tenant; null where one has the id already. */
export async function createTenant(
  db: Queryable,
  tenant: Pick<Tenant, 'id' | 'defaultProvider'>,
): Promise<Tenant | null> {
  const { rows } = await db.query<Tenant>(
    `insert into tenants (id, default_provider) values ($1, $2)
     on conflict do nothing returning ${COLUMNS}`,
    [tenant.id, tenant.defaultProvider],
  );
  return rows[0] ?? null;
}

/** All of them, by id. */
export async function listTenants(db: Queryable): Promise<readonly Tenant[]> {
  const { rows } = await db.query<Tenant>(`select ${COLUMNS} from tenants order by id`);
  return rows;
}
