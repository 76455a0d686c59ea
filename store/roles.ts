/** The roles that the processes connect with. They own nothing; migrations grant what they need. */
import pg from 'pg';

/** Passwords of the two roles. */
export interface RolePasswords {
  readonly api: string;
  readonly worker: string;
}

/** Roles belong to the whole cluster: a migrator of another database may write the same row. */
const TRIES = 10;

/**
 * Creates the roles where missing and sets their passwords. Outside any transaction: the advisory
 * lock of migrations holds in one database only. Race: two migrators set one role; PostgreSQL refuses
 * the later one ("tuple concurrently updated", or the role exists by now), and it tries again.
 */
export async function ensureRoles(client: pg.ClientBase, passwords: RolePasswords): Promise<void> {
  await ensureRole(client, 'resolute_api', passwords.api);
  await ensureRole(client, 'resolute_worker', passwords.worker);
}

async function ensureRole(client: pg.ClientBase, role: string, password: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await setRole(client, role, password);
      return;
    } catch (error) {
      if (attempt === TRIES || !isRace(error)) throw error;
    }
  }
}

async function setRole(client: pg.ClientBase, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  const name = pg.escapeIdentifier(role);
  // Role commands take no parameters; both parts are escaped by the driver.
  await client.query(`${verb} role ${name} login password ${pg.escapeLiteral(password)}`);
}

/** internal_error ("tuple concurrently updated"), duplicate_object, unique_violation. */
function isRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(XX000|42710|23505)$/.test(error.code ?? '');
}
