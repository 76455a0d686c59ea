/** What a caller meets long after the outcome: a tombstone, and never a second effect. */
import { randomBytes } from 'node:crypto';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import pg from 'pg';
import { createPool } from '../../store/pool';
import { purgeExpired } from '../../store/purge';
import { charge, exchange, type Reply } from '../support/intent-client';
import { resolute, resoluteJson } from '../support/resolute';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready } = sharedStack();
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);
const db = new pg.Client({ connectionString: ready.database });
const worker = createPool({ url: ready.database, name: 'test', onIdleError: () => undefined });

/** Its run is forgotten while the other tests go on. */
let forgotten: Charged;

beforeAll(async () => {
  await db.connect();
  forgotten = await charged();
  const workflowId = await workflowIdOf(forgotten.id);
  await withTemporal((client) => askToForget(client, workflowId));
});
afterAll(async () => {
  await Promise.all([db.end(), worker.end()]);
});

interface Charged {
  readonly id: string;
  readonly source: string;
  /** Sends it again. */
  readonly again: (amount?: number) => Promise<Reply>;
}

/** A charge to its end; `behaviour` makes it fail. */
async function charged(behaviour?: string): Promise<Charged> {
  const source = `card_${randomBytes(6).toString('hex')}`;
  const match = { source };
  if (behaviour !== undefined) await simulator.programme({ on: 'charge', do: behaviour, match });
  const again = (amount = 1000) =>
    charge(ready.api, { source, reference: source, amount }, { token, key: source, wait: 30 });
  const { body } = await again();
  return { id: ((body['intent'] ?? body) as { id: string }).id, source, again };
}

/** As if its outcome were that old, and the daily job had run. */
async function purged(id: string): Promise<void> {
  await db.query(`update intents set finalised_at = now() - interval '401 days' where id = $1`, [
    id,
  ]);
  await until('it is purged', async () => {
    await purgeExpired(worker, { operation: 'payment.charge', days: 400, most: 100 });
    const { rows } = await db.query('select from intents where id = $1 and purged_at is not null', [
      id,
    ]);
    return rows.length === 1 ? true : undefined;
  });
}

async function calls(source: string): Promise<number> {
  return (await simulator.ledger(source)).calls.filter(({ call }) => call === 'charge').length;
}

async function withTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address: ready.temporal.address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

async function workflowIdOf(id: string): Promise<string> {
  const { rows } = await db.query<{ workflow_id: string }>(
    'select workflow_id from intents where id = $1',
    [id],
  );
  return rows[0]?.workflow_id ?? '';
}

/** As Temporal's own retention does; the server takes half a minute until the run is gone. */
async function askToForget(client: Client, workflowId: string): Promise<void> {
  await until('the run is closed', async () => {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'COMPLETED' ? true : undefined;
  });
  await client.workflowService.deleteWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
  });
}

async function isKnown(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

test('B61: a very late repeat gets 410 with the outcome, another body 422, one effect', async () => {
  const { id, source, again } = await charged();
  await purged(id);
  const late = await again();
  expect([late.status, late.problem]).toEqual([410, 'intent-expired']);
  expect(late.headers.get('idempotency-replayed')).toBe('true');
  expect(late.headers.get('location')).toBe(`/v1/intents/${id}`);
  expect(late.body).toMatchObject({
    intent: { id, status: 'succeeded', reference: source, amount: 1000, idempotency_key: null },
    verdict: { repeat_same_key: 'safe', new_key: 'forbidden' },
  });
  const other = await again(2000);
  expect([other.status, other.problem]).toEqual([422, 'idempotency-key-reused']);
  expect(await calls(source)).toBe(1);
});

test('B61: of a declined charge the tombstone says so, and that a new key is safe', async () => {
  const { id, again } = await charged('decline');
  await purged(id);
  const late = await again();
  expect([late.status, late.problem]).toEqual([410, 'intent-expired']);
  expect(late.body).toMatchObject({ intent: { status: 'failed' }, verdict: { new_key: 'safe' } });
});

test('a tombstone is still read: 200 by id, by key, in lists, with its explanation', async () => {
  const { id, source } = await charged();
  await purged(id);
  const get = (path: string) => exchange(`${ready.api}/v1/intents${path}`, { token });
  const one = await get(`/${id}`);
  expect([one.status, one.body['status'], one.body['idempotency_key']]).toEqual([
    ...[200, 'succeeded', null],
  ]);
  const byKey = await get(`?operation=payment.charge&idempotency_key=${source}`);
  expect(byKey.body['data']).toMatchObject([{ id, reference: source }]);
  const explained = await get(`/${id}/explanation`);
  expect([explained.status, explained.body['belief']]).toEqual([200, 'applied']);
  const cancel = await exchange(`${ready.api}/v1/intents/${id}/cancel`, { token, method: 'POST' });
  expect([cancel.status, cancel.problem]).toEqual([409, 'too-late']);
});

test('the reference of a purged success is still taken', async () => {
  const { id, source } = await charged();
  await purged(id);
  const other = await charge(
    ready.api,
    { source, reference: source },
    { token, key: `${source}-b` },
  );
  expect([other.status, other.problem]).toEqual([409, 'business-key-taken']);
  expect(other.body['intent']).toMatchObject({ id });
});

test('B63: an honest retry after six days is a repeat like any other', async () => {
  const { id, source, again } = await charged();
  await db.query(`update intents set finalised_at = now() - interval '6 days' where id = $1`, [id]);
  await purgeExpired(worker, { operation: 'payment.charge', days: 400, most: 1000 });
  const late = await again();
  expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(await calls(source)).toBe(1);
});

describe('erase', () => {
  const run = (...args: readonly string[]) => resolute(ready.database, 'erase', ...args);

  test('leaves the outcome of one payer and nothing else, says how many, and is repeatable', async () => {
    const { id, source, again } = await charged();
    const json = () =>
      resoluteJson(ready.database, 'erase', '--tenant', 'acme', '--source', source);
    expect(await json()).toEqual({ tenant: 'acme', erased: 1, already_erased: 0, left: [] });
    expect(await json()).toEqual({ tenant: 'acme', erased: 0, already_erased: 0, left: [] });
    expect((await again()).problem).toBe('intent-expired');
    const { rows } = await db.query<{ row: string }>(
      `select to_jsonb(i)::text as row from intents i where id = $1`,
      [id],
    );
    expect(rows[0]?.row).not.toContain(`"source": "${source}"`);
    const named = await run('--tenant', 'acme', '--intent', id);
    expect(named.stdout).toBe('Erased 0 intents of acme. It was erased before.\n');
  });

  test('names what has no outcome yet, and why', async () => {
    const source = `card_${randomBytes(6).toString('hex')}`;
    await simulator.programme({ on: 'charge', do: 'pending', match: { source } });
    const body = { source, reference: source };
    const { body: pending } = await charge(ready.api, body, { token, key: source, wait: 1 });
    const { code, stdout } = await run('--tenant', 'acme', '--source', source);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Erased 0 intents of acme\.\nNot erased yet/);
    expect(stdout).toContain(String(pending['id']));
    expect(stdout).toContain('has no outcome yet');
    expect(stdout).not.toContain(source);
  });

  test.each([
    [['--tenant', 'acme'], 'Name either --source or --intent, and not both.\n'],
    [['--tenant', 'nobody', '--source', 'x'], 'There is no tenant nobody.\n'],
    [
      ['--tenant', 'globex', '--intent', '01a22c76-9472-741a-9fcc-768325ffa9ad'],
      'globex has no intent of that id.\n',
    ],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, message]);
  });
});

test('B62: when Temporal has forgotten the run, a repeat starts no other one', async () => {
  const { id, source, again } = forgotten;
  const workflowId = await workflowIdOf(id);
  await withTemporal(async (client) => {
    await until(
      'Temporal has forgotten the run',
      async () => ((await isKnown(client, workflowId)) ? undefined : true),
      120_000,
    );
    expect((await again()).status).toBe(201);
    await purged(id);
    expect((await again()).status).toBe(410);
    expect(await isKnown(client, workflowId)).toBe(false);
  });
  expect(await calls(source)).toBe(1);
}, 150_000);
