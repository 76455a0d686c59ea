/**
 * The roles that the processes connect with. They own nothing; migrations grant what they need. A
 * third one cannot connect: both may assume it, to record a person's decision and for nothing else.
 */
import pg from 'pg';

/** Passwords of the two roles. */
export interface RolePasswords {
  readonly api: string;
  readonly worker: string;
}

/** Assumed for the transaction of a decision (store/as-operator.ts). */
export const OPERATOR_ROLE = 'resolute_operator';

/** Roles belong to the whole cluster: a migrator of another database may write the same row. */
const TRIES = 10;

/**
 * Creates the roles where missing and sets their passwords. Outside any transaction: the advisory
 * lock of migrations holds in one database only. Race: two migrators set one role; PostgreSQL refuses
 * the later one ("tuple concurrently updated", or the role exists by now), and it tries again.
 */
export async function ensureRoles(client: pg.ClientBase, passwords: RolePasswords): Promise<void> {
  await untilWon(() => setRole(client, 'resolute_api', login(passwords.api)));
  await untilWon(() => setRole(client, 'resolute_worker', login(passwords.worker)));
  await untilWon(() => setRole(client, OPERATOR_ROLE, 'nologin'));
  // Not inherited: the privileges hold only after an explicit `set role`.
  await untilWon(() =>
    client.query(
      `grant ${OPERATOR_ROLE} to resolute_api, resolute_worker with inherit false, set true`,
    ),
  );
  await untilWon(() => forbidTemporaryTables(client));
}

/**
 * None of our roles needs them. Here and not in a migration: a restored database has the privileges of
 * a new one, and its migrations count as applied.
 */
async function forbidTemporaryTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  for (const { name } of rows) {
    await client.query(`revoke temporary on database ${pg.escapeIdentifier(name)} from public`);
  }
}

async function untilWon(set: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await set();
      return;
    } catch (error) {
      if (attempt === TRIES || !isRace(error)) throw error;
    }
  }
}

function login(password: string): string {
  return `login password ${pg.escapeLiteral(password)}`;
}

async function setRole(client: pg.ClientBase, role: string, options: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  const name = pg.escapeIdentifier(role);
  // Role commands take no parameters; what comes from outside is escaped by the driver.
  await client.query(`${verb} role ${name} ${options}`);
}

/** internal_error ("tuple concurrently updated"), duplicate_object, unique_violation. */
function isRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(XX000|42710|23505)$/.test(error.code ?? '');
}
