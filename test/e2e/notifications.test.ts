/**
 * Notifications through the real gateway, as the provider sends them: early, late, repeated, re-ordered,
 * forged, lying, about nothing. Effects are counted in the provider's ledger.
 */
import pg from 'pg';
import { Client, Connection } from '@temporalio/client';
import { type Status } from '../../domain/status';
import { charge, exchange, type Reply } from '../support/intent-client';
import { resolute, resoluteJson } from '../support/resolute';
import { sharedStack } from '../support/shared-stack';
import { type Fault, simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready } = sharedStack();
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);
const owner = new pg.Pool({ connectionString: ready.database });
afterAll(() => owner.end());

/** Asks for a charge whose instrument is `source`, under a fault; resolves when the caller is answered. */
async function charged(
  source: string,
  fault: Omit<Fault, 'on' | 'match'> = { do: 'ok' },
  { as = token, provider = 'sim-full', wait = 0 } = {},
): Promise<Reply> {
  await simulator.programme({ on: 'charge', ...fault, match: { source } });
  return charge(
    ready.api,
    { provider, source, reference: source },
    { token: as, key: source, wait },
  );
}

/** The reference under which the provider knows the only effect of `source`. */
function referenceOf(source: string): Promise<string> {
  return until('the provider was called', async () => {
    const { calls } = await simulator.ledger(source);
    return calls[0]?.reference ?? undefined;
  });
}

interface Seen {
  readonly source: string;
  readonly finding: string;
}

/** What the explanation shows as told by the provider, oldest first. */
async function toldOf(id: string, as = token): Promise<readonly string[]> {
  const { body } = await exchange(`${ready.api}/v1/intents/${id}/explanation`, { token: as });
  const observations = (body['observations'] ?? []) as readonly Seen[];
  return observations.filter((one) => one.source === 'notification').map((one) => one.finding);
}

function untilTold(id: string, count: number): Promise<readonly string[]> {
  return until(`${count} notifications are evidence`, async () => {
    const told = await toldOf(id);
    return told.length >= count ? told : undefined;
  });
}

async function statusOf(id: string): Promise<Status> {
  const { body } = await exchange(`${ready.api}/v1/intents/${id}`, { token });
  expect(body['discrepancy']).toBeNull();
  return body['status'] as Status;
}

async function ends(id: string, status: Status): Promise<void> {
  await until(`it is ${status}`, async () => ((await statusOf(id)) === status ? true : undefined));
}

/** How often the outbox says that the intent ended. */
async function endsTold(id: string): Promise<number> {
  const { rowCount } = await owner.query(
    `select from intent_events where intent = $1
       and type ~ '(succeeded|failed|canceled)$'`,
    [id],
  );
  return rowCount ?? 0;
}

async function stored(eventId: string) {
  const { rows } = await owner.query<{ intent: string | null; said: unknown }>(
    'select intent, said from provider_notifications where event_id = $1',
    [eventId],
  );
  return rows;
}

const idOf = ({ body }: Reply): string => ((body['intent'] ?? body) as { readonly id: string }).id;
const effects = async (source: string) => (await simulator.ledger(source)).effects.length;

it.each(['webhook-before-response', 'webhook-with-response'] as const)(
  'B73, B76: a %s and the answer are one end, one effect, and no error',
  async (emit) => {
    const source = `card_${emit}`;
    const reply = await charged(source, { do: 'slow', delay_ms: 300, emit }, { wait: 20 });
    expect(reply.status).toBe(201);
    const id = idOf(reply);
    expect(await untilTold(id, 1)).toEqual(['applied']);
    expect([await statusOf(id), await endsTold(id), await effects(source)]).toEqual([
      ...['succeeded', 1, 1],
    ]);
  },
);

it('B75: five deliveries of one event at once, and one after the end, are one observation', async () => {
  const source = 'card_told_five_times';
  const id = idOf(await charged(source, { do: 'pending' }));
  const about = await referenceOf(source);
  const telling = { about, event_id: 'evt_told_five_times' };
  expect(await simulator.tell({ ...telling, times: 5, parallel: true })).toEqual([
    ...Array.from({ length: 5 }, () => 202),
  ]);
  await ends(id, 'succeeded');
  expect(await simulator.tell(telling)).toEqual([202]);
  expect(await untilTold(id, 1)).toEqual(['applied']);
  expect(await stored('evt_told_five_times')).toHaveLength(1);
  expect([await endsTold(id), await effects(source)]).toEqual([1, 1]);
});

it('B74: a pending that arrives after the success does not take it back', async () => {
  const source = 'card_reordered';
  const id = idOf(await charged(source, { do: 'pending' }));
  const about = await referenceOf(source);
  await simulator.tell({ about, type: 'charge.succeeded' });
  await simulator.tell({ about, type: 'charge.pending' });
  await ends(id, 'succeeded');
  expect(await untilTold(id, 2)).toEqual(['applied', 'pending']);
  expect([await statusOf(id), await endsTold(id)]).toEqual(['succeeded', 1]);
});

it('a pending charge that the provider declines ends failed', async () => {
  const source = 'card_declined_later';
  const id = idOf(await charged(source, { do: 'pending' }));
  await simulator.tell({ about: await referenceOf(source), type: 'charge.failed' });
  await ends(id, 'failed');
});

it('late, after the outcome, it is kept as evidence and changes nothing', async () => {
  const source = 'card_told_late';
  const id = idOf(await charged(source, { do: 'ok' }, { wait: 20 }));
  expect(await simulator.tell({ about: await referenceOf(source) })).toEqual([202]);
  expect(await untilTold(id, 1)).toEqual(['applied']);
  expect([await statusOf(id), await endsTold(id)]).toEqual(['succeeded', 1]);
});

it('the run that waits is told at once that its journal grew', async () => {
  const source = 'card_woken';
  const reply = await charged(source, { do: 'pending' });
  await ends(idOf(reply), 'pending');
  await simulator.tell({ about: await referenceOf(source), type: 'charge.pending' });
  const connection = await Connection.connect({ address: ready.temporal.address });
  const client = new Client({ connection, namespace: ready.temporal.namespace });
  const { rows } = await owner.query<{ workflow_id: string }>(
    'select workflow_id from intents where id = $1',
    [idOf(reply)],
  );
  const handle = client.workflow.getHandle(rows[0]?.workflow_id ?? '');
  await until(
    'the signal is in the history',
    async () => {
      const { events } = await handle.fetchHistory();
      return events?.some((one) => one.workflowExecutionSignaledEventAttributes) ? true : undefined;
    },
    5_000,
  );
  await connection.close();
  await simulator.tell({ about: await referenceOf(source) });
  await ends(idOf(reply), 'succeeded');
});

it('story 2: a signed lie about a charge that never was is refuted: it never says succeeded', async () => {
  const source = 'card_lied_about';
  const id = idOf(await charged(source, { do: 'timeout-before-effect', times: 'always' }));
  expect(await simulator.tell({ about: await referenceOf(source) })).toEqual([202]);
  const seen = new Set<Status>();
  await until('it ends', async () => {
    const status = await statusOf(id);
    seen.add(status);
    return status === 'failed' ? true : undefined;
  });
  expect(seen).not.toContain('succeeded');
  expect(await toldOf(id)).toEqual(['applied']);
  expect(await effects(source)).toBe(0);
});

it('another amount is a hint too: kept as a contradiction, decided by the look-up', async () => {
  const source = 'card_other_amount';
  const id = idOf(await charged(source, { do: 'pending' }));
  await simulator.tell({ about: await referenceOf(source), amount: 999 });
  await ends(id, 'succeeded');
  expect(await untilTold(id, 1)).toEqual(['conflict']);
});

it.each(['forged', 'stale'] as const)(
  'a %s one is 401, and nothing is stored',
  async (signature) => {
    const source = `card_${signature}`;
    const id = idOf(await charged(source, { do: 'pending' }));
    const event_id = `evt_${signature}`;
    const about = await referenceOf(source);
    expect(await simulator.tell({ about, event_id, signature, times: 20, parallel: true })).toEqual(
      [...Array.from({ length: 20 }, () => 401)],
    );
    expect(await stored(event_id)).toEqual([]);
    expect(await toldOf(id)).toEqual([]);
    await simulator.tell({ about });
    await ends(id, 'succeeded');
  },
);

it('B73: one about nothing of ours is acknowledged and kept, without the words of others', async () => {
  const event_id = 'evt_about_nothing';
  expect(await simulator.tell({ about: 'Mr Smith, order 7', event_id })).toEqual([202]);
  const [row] = await stored(event_id);
  expect(row?.intent).toBeNull();
  expect(JSON.stringify(row)).not.toContain('Smith');
  const waiting = await resoluteJson<readonly unknown[]>(ready.database, 'notification', 'list');
  expect(waiting).toContainEqual(
    expect.objectContaining({
      ...{ provider: 'sim-full', event_id, type: 'charge.succeeded', about: null },
      provider_id: expect.stringMatching(/^ch_/) as string,
    }),
  );
  const { stdout } = await resolute(ready.database, 'notification', 'list');
  expect(stdout).toMatch(
    /│ sim-full +│ evt_about_nothing +│ charge.succeeded +│ none of ours +│ ch_/,
  );
});

it.each(['charge.updated', 'something.unknown'])(
  'B77: %s is acknowledged and kept, and touches nothing',
  async (type) => {
    const source = `card_${type}`;
    const id = idOf(await charged(source, { do: 'ok' }, { wait: 20 }));
    const event_id = `evt_${type}`;
    expect(await simulator.tell({ about: await referenceOf(source), type, event_id })).toEqual([
      202,
    ]);
    expect(await stored(event_id)).toEqual([{ intent: null, said: null }]);
    expect([await statusOf(id), await toldOf(id)]).toEqual(['succeeded', []]);
  },
);

it('INV-11: of two tenants with one key and one body, each sees what is told of its own alone', async () => {
  const source = 'card_of_two_tenants';
  const globex = ready.tenants.globex.token;
  await simulator.programme({ on: 'charge', do: 'pending', times: 2, match: { source } });
  const body = { provider: 'sim-full', source, reference: source };
  const [ours, theirs] = await Promise.all(
    [token, globex].map(async (as) =>
      idOf(await charge(ready.api, body, { token: as, key: source, wait: 0 })),
    ),
  );
  if (ours === undefined || theirs === undefined) throw new Error('two intents were asked for');
  expect(ours).not.toBe(theirs);
  await until('both were sent', async () => ((await effects(source)) === 2 ? true : undefined));
  const mine = `rs-${ours.replaceAll('-', '')}-a`;
  await simulator.tell({ about: mine });
  await ends(ours, 'succeeded');
  await untilTold(ours, 1);
  expect(await toldOf(theirs, globex)).toEqual([]);
  const foreign = await exchange(`${ready.api}/v1/intents/${ours}/explanation`, { token: globex });
  expect([foreign.status, foreign.problem]).toEqual([404, 'not-found']);
  const list = await exchange(`${ready.api}/v1/intents?reference=${source}`, { token: globex });
  const listed = list.body['data'] as readonly { id: string; status: Status }[];
  expect(listed.map(({ id, status }) => [id, status])).toEqual([[theirs, 'pending']]);
  await simulator.tell({ about: `rs-${theirs.replaceAll('-', '')}-a` });
});
