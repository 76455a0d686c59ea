/**
 * Every misbehaviour of a provider, on every contract, through the real gateway: the outcome agrees
 * with the provider's ledger, and unknown is never worded as failure (INV-5).
 */
import pg from 'pg';
import { endsTheWait, type Status } from '../../domain/status';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { keepCredentials } from '../../local/credentials';
import { charge, exchange, type Reply } from '../support/intent-client';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready, dataDirectory } = sharedStack();
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);

/** What a case must come to; effects are counted in the provider's ledger. */
interface Ending {
  readonly status: Status;
  readonly effects: number;
}

const CHARGED: Ending = { status: 'succeeded', effects: 1 };
const REFUSED: Ending = { status: 'failed', effects: 0 };
/** A person must look; the effect is there. */
const REVIEW_WITH: Ending = { status: 'in_review', effects: 1 };
const REVIEW_WITHOUT: Ending = { status: 'in_review', effects: 0 };

/** One row a behaviour: with look-up and key, with look-up only, with key only, with neither. */
const TABLE: Readonly<Record<string, readonly [Ending, Ending, Ending, Ending]>> = {
  ok: [CHARGED, CHARGED, CHARGED, CHARGED],
  decline: [REFUSED, REFUSED, REFUSED, REFUSED],
  slow: [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
  hang: [CHARGED, CHARGED, CHARGED, REVIEW_WITHOUT],
  'timeout-before-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITHOUT],
  'timeout-after-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
  'reset-before-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITHOUT],
  'reset-after-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
  'http-500-no-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITHOUT],
  'http-500-after-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
  'http-500-stored': [CHARGED, CHARGED, REVIEW_WITHOUT, REVIEW_WITHOUT],
  'http-409-key-in-use': [CHARGED, CHARGED, CHARGED, REVIEW_WITHOUT],
  'http-429': [CHARGED, CHARGED, CHARGED, CHARGED],
  'http-401': [CHARGED, CHARGED, CHARGED, CHARGED],
  garbage: [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
  'late-effect': [CHARGED, CHARGED, CHARGED, REVIEW_WITH],
};
const PROVIDERS: readonly SimulatorProvider[] = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'];

/** Slow answers come after the send budget, late effects inside the in-flight horizon. */
const DELAY_MS: Readonly<Record<string, number>> = { slow: 1_650, 'late-effect': 1_400 };

async function play(provider: SimulatorProvider, behaviour: string): Promise<Ending> {
  const source = `card_${provider}_${behaviour}`;
  const delay_ms = DELAY_MS[behaviour];
  await simulator.programme({
    on: 'charge',
    do: behaviour,
    match: { source },
    ...(delay_ms !== undefined && { delay_ms }),
  });
  const first = await send(provider, source);
  const ended = await until(`${source} ends`, async () => {
    const reply = await exchange(`${ready.api}/v1/intents/${idOf(first)}`, { token });
    return endsTheWait(reply.body['status'] as Status) ? reply : undefined;
  });
  const effects = await until('what is under way has landed', async () => {
    const ledger = await simulator.ledger(source);
    return delay_ms !== undefined && ledger.effects.length === 0 ? undefined : ledger.effects;
  });
  return { status: ended.body['status'] as Status, effects: effects.length };
}

function send(provider: SimulatorProvider, source: string): Promise<Reply> {
  return charge(ready.api, { provider, source, reference: source }, { token, key: source });
}

/** The id of an intent that is answered or attached to a problem. */
function idOf({ body }: Reply): string {
  const intent = (body['intent'] ?? body) as { readonly id: string };
  return intent.id;
}

describe.each(PROVIDERS.map((provider, column) => ({ provider, column })))(
  '$provider',
  ({ provider, column }) => {
    it.concurrent.each(Object.keys(TABLE))('%s', async (behaviour) => {
      expect(await play(provider, behaviour)).toEqual(TABLE[behaviour]?.[column]);
    });
  },
);

it('B41, INV-5: an unknown is told as unknown, with the reason, and is never called failed', async () => {
  const source = 'card_watched';
  await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await simulator.programme({ on: 'query', do: 'timeout', times: 1, match: { source } });
  const seen = new Set<unknown>();
  const first = charge(
    ready.api,
    { provider: 'sim-full', source, reference: source },
    { token, key: source, wait: 20 },
  );
  await until('it ends', async () => {
    const { body } = await exchange(`${ready.api}/v1/intents?reference=${source}`, { token });
    const [intent] = (body['data'] ?? []) as readonly { status: Status; unknown_since: unknown }[];
    if (intent === undefined) return undefined;
    seen.add(intent.status);
    if (intent.status === 'unknown') expect(intent.unknown_since).not.toBeNull();
    return endsTheWait(intent.status) ? true : undefined;
  });
  expect((await first).status).toBe(201);
  expect(seen).toContain('unknown');
  expect(seen).not.toContain('failed');
  const { effects, calls } = await simulator.ledger(source);
  expect(effects).toHaveLength(1);
  const asked = calls.filter((call) => call.call === 'query');
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(calls.map((call) => call.reference)).size).toBe(1);
});

it.each(['wrong-amount', 'twice'])('a look-up that shows %s goes to a person', async (lie) => {
  const source = `card_${lie}`;
  await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await simulator.programme({ on: 'query', do: lie, times: 'always', match: { source } });
  const reply = await send('sim-full', source);
  expect([reply.status, reply.body['status']]).toEqual([202, 'in_review']);
  expect(reply.body['reason']).toMatch(/contradicts/);
});

it('200 repeats at once are one intent, one effect, and no error', async () => {
  const source = 'card_two_hundred_twins';
  const replies = await Promise.all(Array.from({ length: 200 }, () => send('sim-full', source)));
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
  expect(new Set(replies.map(idOf)).size).toBe(1);
  const firsts = replies.filter((reply) => !reply.headers.has('idempotency-replayed'));
  expect(firsts).toHaveLength(1);
  const { effects, calls } = await simulator.ledger(source);
  expect([effects.length, calls.length]).toEqual([1, 1]);
});

it('B95, INV-8: while a provider is called no transaction is open', async () => {
  const source = 'card_slow_provider';
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 800, match: { source } });
  const answered = send('sim-full', source);
  await until('the provider is called', async () =>
    (await simulator.ledger(source)).calls.length > 0 ? true : undefined,
  );
  // Other suites' transactions come and go; one held over this call would stay for all of it.
  await until('no transaction is open', async () =>
    (await openTransactions('resolute-worker')) === 0 ? true : undefined,
  );
  expect((await simulator.ledger(source)).effects).toEqual([]);
  expect((await answered).status).toBe(201);
});

/** Sessions of a program that hold a transaction open; only a superuser sees what others do. */
async function openTransactions(program: string): Promise<number> {
  const url = new URL(ready.database);
  url.username = 'postgres';
  url.password = keepCredentials(dataDirectory).passwords.postgres;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from pg_stat_activity
     where application_name = $1 and state like 'idle in transaction%'`,
    [program],
  );
  await client.end();
  return Number(rows[0]?.n);
}
