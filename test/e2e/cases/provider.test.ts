/** Public cases of provider keys, counted requests and amounts; ids as in docs/public-cases.md. */
import { caseStage } from '../../support/case-stage';
import { exchange } from '../../support/intent-client';

const stage = caseStage();

it.concurrent('B52: every attempt of an intent carries the same key', async () => {
  const source = 'card_b52';
  await stage.programme(source, { on: 'charge', do: 'reset-before-effect', times: 2 });
  const intent = await stage.ended(await stage.post(source, { provider: 'sim-key' }));
  expect(intent['status']).toBe('succeeded');
  const told = await stage.told(source);
  expect(told).toMatchObject({ effects: ['charge succeeded'], charges: 3, keys: 1 });
});

it.concurrent.each(['reset-after-effect', 'reset-before-effect', 'http-500-no-effect'])(
  'B53: after %s the provider saw as many requests as there are attempts',
  async (behaviour) => {
    const source = `card_b53_${behaviour}`;
    await stage.programme(source, { on: 'charge', do: behaviour });
    const intent = await stage.ended(await stage.post(source, { provider: 'sim-key' }));
    const { effects, charges, keys } = await stage.told(source);
    expect([intent['attempts'], charges]).toEqual([2, 2]);
    expect([effects, keys]).toEqual([['charge succeeded'], 1]);
  },
);

it.concurrent('B54: neither an error nor a repeat makes another provider key', async () => {
  const source = 'card_b54';
  await stage.programme(source, { on: 'charge', do: 'timeout-after-effect', times: 2 });
  const first = await stage.post(source, { provider: 'sim-key' });
  expect((await stage.ended(first))['status']).toBe('succeeded');
  expect((await stage.post(source, { provider: 'sim-key' })).status).toBe(201);
  expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], keys: 1 });
});

it.concurrent.each([
  ['B70: 500 yen', 500, 'JPY'],
  ['B70: 500 cents', 500, 'USD'],
  ['B71: 18,600 fils', 18_600, 'KWD'],
  ['B71: 18,605 fils', 18_605, 'KWD'],
])('%s reach the provider as they are', async (_title, amount, currency) => {
  const source = `card_b70_${amount}_${currency}`;
  const { status } = await exchange(`${stage.api}/v1/intents/payment.charge`, {
    token: stage.token,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': source },
    body: JSON.stringify({ amount, currency, source, reference: source }),
  });
  expect(status).toBe(201);
  const { effects } = await stage.simulator.ledger(source);
  expect(effects).toMatchObject([{ amount, currency }]);
});
