/** INV-6: one transition table, in the domain and in the database. */
import { mayMove, STATUSES } from '../../domain/status';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

it('INV-6: SQL and domain allow exactly the same moves', async () => {
  const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));
  const { rows } = await database.owner.query<{ from: string; to: string; allowed: boolean }>(
    `select f as "from", t as "to", intent_may_move(f, t) as allowed
     from unnest($1::text[]) f, unnest($1::text[]) t`,
    [STATUSES],
  );
  const sql = new Map(rows.map(({ from, to, allowed }) => [`${from} to ${to}`, allowed]));
  expect(sql.size).toBe(pairs.length);
  for (const { from, to } of pairs) {
    expect([`${from} to ${to}`, sql.get(`${from} to ${to}`)]).toEqual([
      `${from} to ${to}`,
      mayMove(from, to),
    ]);
  }
});

it('the status column knows exactly the statuses of the domain', async () => {
  const { rows } = await database.owner.query<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'status_is_known'",
  );
  const known = [...(rows[0]?.definition.matchAll(/'([a-z_]+)'/g) ?? [])].map((match) => match[1]);
  expect(known.sort()).toEqual([...STATUSES].sort());
});
