/** Public cases of lost answers and look-ups; ids as in docs/public-cases.md. */
import { announced, caseStage, idOf, losesItsAnswer } from '../../support/case-stage';
import { type Fault } from '../../support/simulator-client';
import { until } from '../../support/until';

const stage = caseStage();
const LOST: Fault = { on: 'charge', do: 'timeout-after-effect' };
/** Answers after the send budget of 1.5 s, inside the in-flight horizon. */
const TOO_SLOW: Fault = { on: 'charge', do: 'slow', delay_ms: 1_650 };

/** Asks for the charge and hangs up once the provider was called. */
function askAndLeave(source: string, provider: string): Promise<void> {
  const body = { amount: 1000, currency: 'EUR', source, reference: source, provider };
  return losesItsAnswer(
    (signal) =>
      fetch(`${stage.api}/v1/intents/payment.charge`, {
        method: 'POST',
        signal,
        headers: {
          authorization: `Bearer ${stage.token}`,
          'idempotency-key': source,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      }),
    stage.called(source),
  );
}

it.concurrent(
  'B34: a caller that hangs up changes nothing; its repeat gets the outcome',
  async () => {
    const source = 'card_b34';
    await stage.programme(source, { on: 'charge', do: 'slow', delay_ms: 600 });
    await askAndLeave(source, 'sim-lookup');
    const repeat = await stage.post(source, { provider: 'sim-lookup' });
    expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
  },
);

it.concurrent(
  'B39: a lost success is found and adopted before anything is sent again',
  async () => {
    const source = 'card_b39';
    await stage.programme(source, LOST);
    await askAndLeave(source, 'sim-lookup');
    const repeat = await stage.post(source, { provider: 'sim-lookup' });
    expect(repeat.status).toBe(201);
    const told = await stage.told(source);
    expect(told).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
    expect(told.queries).toBeGreaterThan(0);
  },
);

it.concurrent(
  'B40: impatient repeats and repeated notifications announce one success',
  async () => {
    const source = 'card_b40';
    await stage.programme(source, TOO_SLOW);
    await askAndLeave(source, 'sim-full');
    const repeats = await Promise.all([stage.post(source), stage.post(source)]);
    expect(repeats.map(({ status }) => status)).toEqual([201, 201]);
    const [reply] = repeats;
    expect([await stage.tell(reply, 'evt_b40'), await stage.tell(reply, 'evt_b40')]).toEqual([
      [202],
      [202],
    ]);
    expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
    expect(await announced(idOf(reply), 'succeeded')).toBe(1);
  },
);

it.concurrent('B42: "forbidden" from a look-up is no proof of anything', async () => {
  const source = 'card_b42';
  await stage.programme(
    source,
    { ...LOST, visible_after_ms: 2_500 },
    { on: 'query', do: 'http-403', times: 5 },
  );
  const reply = await stage.post(source, { provider: 'sim-lookup', wait: 0 });
  const seen = new Set<unknown>();
  await until('it succeeds', async () => {
    const { status } = await stage.read(idOf(reply));
    seen.add(status);
    return status === 'succeeded' ? true : undefined;
  });
  expect(seen).toContain('unknown');
  expect(seen).not.toContain('failed');
  expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
});

it.concurrent(
  'B43: it is asked about by our own reference, which the request carried',
  async () => {
    const source = 'card_b43';
    await stage.programme(source, LOST);
    const reply = await stage.post(source, { provider: 'sim-lookup' });
    expect(reply.status).toBe(201);
    const { calls } = await stage.simulator.ledger(source);
    expect(calls.map(({ call }) => call)).toContain('query');
    const ours = `rs-${idOf(reply).replaceAll('-', '')}-a`;
    expect(new Set(calls.map(({ reference }) => reference))).toEqual(new Set([ours]));
  },
);

it.concurrent.each([
  // Proof time is 2.5 s after the opening: a miss before it proves nothing.
  { lag: 'longer than the first misses', provider: 'sim-lookup', visible_after_ms: 1_400, most: 1 },
  { lag: 'longer than its contract', provider: 'sim-full', visible_after_ms: 4_000, most: 2 },
])(
  'B44: a look-up that lags $lag brings no second effect on $provider',
  async ({ provider, visible_after_ms, most }) => {
    const source = `card_b44_${provider}`;
    await stage.programme(source, { ...LOST, visible_after_ms });
    const intent = await stage.ended(await stage.post(source, { provider }));
    expect(intent['status']).toBe('succeeded');
    const told = await stage.told(source);
    expect(told).toMatchObject({ effects: ['charge succeeded'], keys: 1 });
    expect(told.queries).toBeGreaterThan(0);
    expect(told.charges).toBeLessThanOrEqual(most);
  },
);

it.concurrent.each(['sim-full', 'sim-key'])(
  'B49: "key in use" on %s means that the first call lives: no decline, no other key',
  async (provider) => {
    const source = `card_b49_${provider}`;
    await stage.programme(source, TOO_SLOW, {
      on: 'charge',
      do: 'http-409-key-in-use',
      times: 3,
    });
    const intent = await stage.ended(await stage.post(source, { provider }));
    expect(intent['status']).toBe('succeeded');
    expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], keys: 1 });
  },
);

it.concurrent('B50: an error saved under the key is not asked for again and again', async () => {
  const source = 'card_b50';
  await stage.programme(
    source,
    { on: 'charge', do: 'http-500-stored' },
    { on: 'charge', do: 'replay-stored-error', times: 50 },
  );
  const intent = await stage.ended(await stage.post(source, { provider: 'sim-key' }));
  expect(intent['status']).toBe('in_review');
  const told = await stage.told(source);
  expect(told.effects).toEqual([]);
  expect(told.charges).toBeLessThanOrEqual(3);
});

it.concurrent(
  'B110: a provider that always fails is given up by proof, after three attempts',
  async () => {
    const source = 'card_b110';
    await stage.programme(source, { on: 'charge', do: 'http-500-no-effect', times: 'always' });
    const reply = await stage.post(source, { wait: 30 });
    expect([reply.status, reply.problem]).toEqual([422, 'effect-not-applied']);
    expect(await stage.told(source)).toMatchObject({ effects: [], charges: 3, keys: 1 });
  },
);
