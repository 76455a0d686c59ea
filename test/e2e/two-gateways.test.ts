/** Two gateway processes on one store: whichever is asked, an identity is one intent. */
import { charge, exchange, type Reply } from '../support/intent-client';
import { freshWorld, type World } from '../support/fresh-world';
import { acmeToken, gatewayProcess, type GatewayProcess } from '../support/gateway-process';

const STACK_STARTS_MS = 60_000;
const TWINS = 1_000;

let world: World;
let gateways: readonly GatewayProcess[];
let token: string;

beforeAll(async () => {
  world = await freshWorld();
  token = await acmeToken(world);
  [gateways] = await Promise.all([
    Promise.all([
      gatewayProcess(world),
      gatewayProcess(world),
      // One more, which takes on next to nothing.
      gatewayProcess(world, { RESOLUTE_RATE_LIMIT: '1', RESOLUTE_MOST_WAITING: '1' }),
    ]),
    world.worker(),
  ]);
}, STACK_STARTS_MS);

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await world.close();
}, STACK_STARTS_MS);

async function rows(sql: string): Promise<readonly unknown[]> {
  return (await world.database.owner.query<Record<string, unknown>>(sql)).rows;
}

const urlOf = (index: number): string => gateways[index]?.url ?? '';

test('INV-1: a thousand mixed twins are one intent and one effect: 201 for its body, 422 for the other', async () => {
  const body = { reference: 'twins', source: 'card_mixed_twins' };
  // As in life: processes that have served before.
  await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      charge(urlOf(index % 2), { reference: 'no' }, { token, key: '' }),
    ),
  );
  const replies = await Promise.all(
    Array.from({ length: TWINS }, async (_, index) => {
      const amount = index % 2 === 0 ? 1000 : 2000;
      const options = { token, key: 'mixed-twins', wait: 60 };
      const reply = await charge(urlOf(index % 4 < 2 ? 0 : 1), { ...body, amount }, options);
      return { ...reply, amount };
    }),
  );
  const [recorded] = (await rows(
    "select id, amount from intents where business_key = 'twins'",
  )) as readonly { id: string; amount: number }[];
  const codes = (some: readonly Reply[]): ReadonlySet<string> =>
    new Set(some.map(({ status, problem = '' }) => `${status} ${problem}`));
  const right = replies.filter(({ amount }) => amount === recorded?.amount);
  const wrong = replies.filter(({ amount }) => amount !== recorded?.amount);
  expect([right.length, wrong.length]).toEqual([TWINS / 2, TWINS / 2]);
  expect(codes(right)).toEqual(new Set(['201 ']));
  expect(codes(wrong)).toEqual(new Set(['422 idempotency-key-reused']));
  const ids = replies.map(({ body: { id, intent } }) => id ?? (intent as { id: string }).id);
  expect(new Set(ids)).toEqual(new Set([recorded?.id]));
  const first = right.filter(({ headers }) => headers.get('idempotency-replayed') === null);
  expect(first).toHaveLength(1);
  expect(await rows('select id from intents')).toHaveLength(1);
  expect(await rows('select number from attempts')).toHaveLength(1);
  const { effects, calls } = await world.simulator.ledger('card_mixed_twins');
  expect([effects.length, calls.length]).toEqual([1, 1]);
}, 120_000);

test('what a gateway refuses for its load leaves no row and no call, and goes through at the other', async () => {
  const body = { reference: 'shed', source: 'card_shed' };
  const options = { token, key: 'shed' };
  // Ten in ten seconds.
  for (let sent = 0; sent < 10; sent += 1) {
    expect((await exchange(`${urlOf(2)}/v1/intents`, { token })).status).toBe(200);
  }
  const refused = await charge(urlOf(2), body, options);
  expect([refused.status, refused.problem]).toEqual([429, 'rate-limited']);
  expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
  expect(await rows("select id from intents where business_key = 'shed'")).toEqual([]);
  expect((await world.simulator.ledger('card_shed')).calls).toEqual([]);
  const accepted = await charge(urlOf(0), body, { ...options, wait: 30 });
  expect(accepted.status).toBe(201);
  expect(accepted.headers.get('idempotency-replayed')).toBeNull();
}, 60_000);
