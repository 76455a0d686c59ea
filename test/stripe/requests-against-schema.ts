/**
 * Every request that the adapter makes, against stripe-mock: it answers 400 to what the schema of the
 * pinned API version does not know, and with a fixture to what it does. Fixtures are no state: what an
 * answer means is tested in test/providers, here only that the request is one.
 */
import type Stripe from 'stripe';
import { createStripeClient, STRIPE_API_VERSION } from '../../providers/stripe/client';
import { type HttpResult } from '../../providers/transport';
import { chargeRequest } from '../../providers/stripe/request';
import { command, inquiry, permit, REFERENCE, stripeAt } from '../support/stripe-charge';
import { startStripeMock, type StripeMock } from '../support/stripe-mock';

let mock: StripeMock;
beforeAll(async () => {
  mock = await startStripeMock();
}, 120_000);
afterAll(() => mock.stop());

async function ask(call: (stripe: Stripe) => Promise<unknown>): Promise<HttpResult> {
  const client = createStripeClient({ apiKey: 'sk_test_123', apiBase: mock.origin });
  try {
    return await client.ask(performance.now() + 5_000, call);
  } finally {
    await client.close();
  }
}

it('control: an unknown parameter, a wrong type and another version are refused', async () => {
  const request = chargeRequest(command, REFERENCE);
  if ('refused' in request) throw new Error(request.refused);
  const { params } = request;
  const wrong = [
    (stripe: Stripe) =>
      stripe.paymentIntents.create({ ...params, no_such_parameter: 1 } as typeof params),
    (stripe: Stripe) =>
      stripe.paymentIntents.create({ ...params, amount: 'much' } as unknown as typeof params),
    (stripe: Stripe) => stripe.paymentIntents.create(params, { apiVersion: '2020-08-27' }),
  ];
  for (const call of wrong) {
    expect(await ask(call)).toMatchObject({ kind: 'answer', status: 400 });
  }
});

it.each([
  ['as it is', {}],
  ['without description and metadata', { description: null, metadata: {} }],
  ['with twenty members of metadata', { metadata: twentyMembers() }],
  ['in a currency without minor units', { currency: 'JPY' }],
  ['in krónur', { currency: 'ISK' }],
])(`a charge %s is a request of ${STRIPE_API_VERSION}`, async (_title, change) => {
  const request = chargeRequest({ ...command, ...change }, REFERENCE);
  if ('refused' in request) throw new Error(request.refused);
  const options = { idempotencyKey: permit().providerKey };
  const result = await ask((stripe) => stripe.paymentIntents.create(request.params, options));
  expect(result).toMatchObject({ kind: 'answer', status: 200, json: { object: 'payment_intent' } });
});

function twentyMembers(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`name_${index}`, 'x'.repeat(500)] as const),
  );
}

it('the adapter sends, undoes and looks up without one refusal', async () => {
  const provider = stripeAt(mock.origin);
  const refund = { kind: 'refund', amount: 700, currency: 'EUR', charge: 'pi_1' } as const;
  const findings = [
    // Fixtures of other payments: read as answers, and known to be none of ours.
    await provider.send(command, permit()),
    await provider.revert(command, { ...permit(), providerId: 'pi_1' }),
    // The fixture of the list carries no reference: the list and Search are asked, and miss.
    await provider.lookUp(command, inquiry()),
    await provider.send(refund, { ...permit(), providerKey: 'refund' }),
    await provider.lookUp(refund, inquiry()),
  ];
  // Of the listings, too, the fixtures are somebody else's effects.
  const span = { since: new Date(0), until: new Date(), deadline: performance.now() + 5_000 };
  for (const kind of ['charge', 'refund'] as const) {
    for (const cursor of [null, 'pi_1']) {
      expect(await provider.listEffects?.({ ...span, kind, cursor })).toMatchObject({
        kind: 'page',
        unreadable: 0,
      });
    }
  }
  await provider.close();
  const kinds = ['conflict', 'conflict', 'absent', 'conflict', 'absent'];
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});

it('Search by metadata, a PaymentIntent with its charge, and its refunds can be asked for', async () => {
  const query = `metadata["resolute_reference"]:"${REFERENCE}"`;
  const found = await ask((stripe) => stripe.paymentIntents.search({ query, limit: 100 }));
  expect(found).toMatchObject({ kind: 'answer', status: 200 });
  const read = await ask((stripe) =>
    stripe.paymentIntents.retrieve('pi_1', { expand: ['latest_charge'] }),
  );
  expect(read).toMatchObject({ kind: 'answer', status: 200 });
  const listed = await ask((stripe) => stripe.refunds.list({ payment_intent: 'pi_1', limit: 100 }));
  expect(listed).toMatchObject({ kind: 'answer', status: 200 });
});
