/** Effects without an intent: seen by operators alone, closed once by a person, and kept for ever. */
import { randomUUID } from 'node:crypto';
import { verifyChain } from '../../store/decision-chain';
import { keepOrphan } from '../../store/listed-intents';
import { closeOrphan, type NewOrphanClosing, readOrphans } from '../../store/orphan-effects';
import { queryAs } from '../../store/query-as';
import { readFigures } from '../../store/read-figures';
import { exportedChain } from '../support/exported-chain';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function orphan(providerId: string = randomUUID()): Promise<string> {
  await keepOrphan(database.worker, { provider: 'sim-full', providerId, about: randomUUID() });
  return providerId;
}

function close(providerId: string, changes: Partial<NewOrphanClosing> = {}) {
  return closeOrphan(database.api, {
    provider: 'sim-full',
    providerId,
    decisionId: randomUUID(),
    evidence: 'listing of today',
    reason: 'the tenant was told',
    operator: 'olive',
    ...changes,
  });
}

async function open(): Promise<readonly string[]> {
  const orphans = await readOrphans(database.api, 100);
  expect((await readFigures(database.api)).orphans).toBe(orphans.length);
  return orphans.map(({ providerId }) => providerId);
}

it('one waits until it is closed, and stays in the table and in the chain', async () => {
  const id = await orphan();
  const other = await orphan();
  expect(await open()).toEqual([id, other]);
  expect((await close(id)).kind).toBe('closed');
  expect(await open()).toEqual([other]);
  const { rowCount } = await database.owner.query('select from orphan_effects');
  expect(rowCount).toBe(2);
  const rows = await exportedChain(database.owner);
  expect(rows.at(-1)).toMatchObject({
    ...{ intent: null, kind: 'close', operator: 'olive', evidence: 'listing of today' },
    closes: { provider: 'sim-full', provider_id: id },
  });
  expect(await verifyChain(rows)).toMatchObject({ kind: 'whole' });
});

it('again it is the same, another one comes too late, and what nobody saw cannot be closed', async () => {
  const id = await orphan();
  const decisionId = randomUUID();
  expect((await close(id, { decisionId })).kind).toBe('closed');
  expect((await close(id, { decisionId })).kind).toBe('closed');
  expect((await close(id, { decisionId, evidence: 'another' })).kind).toBe('clash');
  expect((await close(id)).kind).toBe('closed_before');
  expect((await close(await orphan(), { decisionId })).kind).toBe('clash');
  expect((await close('nowhere')).kind).toBe('no_such_effect');
});

it('of ten operators at once one closes it', async () => {
  const id = await orphan();
  const all = await Promise.all(Array.from({ length: 10 }, () => close(id)));
  expect(all.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
  expect(all.filter(({ kind }) => kind === 'closed_before')).toHaveLength(9);
});

it.each([{ tenant: 'acme' }, { tenant: 'nobody' }])(
  'INV-11: the api role, acting for $tenant, sees neither effect nor closing',
  async (visibility) => {
    await close(await orphan());
    for (const text of [
      'select from orphan_effects',
      'select from decisions where intent is null',
    ]) {
      const seen = (by: Parameters<typeof queryAs>[1]) =>
        queryAs(database.api, by, { name: text.slice(0, 30), text, values: [] });
      expect((await seen(visibility)).rowCount).toBe(0);
      expect((await seen('every-tenant')).rowCount).toBeGreaterThan(0);
      expect((await database.api.query(text)).rowCount).toBe(0);
    }
  },
);

it.each([
  ['api', "insert into orphan_effects (provider, provider_id) values ('p', 'i')"],
  ['api', "update orphan_effects set provider = 'x'"],
  ['worker', "update orphan_effects set provider = 'x'"],
  ['worker', "insert into decisions (id, kind) values ('x', 'close')"],
] as const)('the %s role cannot: %s', async (role, statement) => {
  await expect(database[role].query(statement)).rejects.toThrow(/permission denied/);
});
