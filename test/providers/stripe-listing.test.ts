/** The reconciler's listings: the consistent list by time, every page, nothing guessed. */
import { type ListedEffect, type Listing, type Provider } from '../../providers/provider';
import { REFERENCE, stripeAt } from '../support/stripe-charge';
import {
  startStripeLike,
  stripeError,
  type StripeLike,
  type StripeObject,
} from '../support/stripe-like';

let server: StripeLike;
let provider: Provider;
beforeEach(async () => {
  server = await startStripeLike();
  provider = stripeAt(server.origin);
});
afterEach(async () => {
  await provider.close();
  await server.close();
});

const UNTIL_S = 1_800_000_000;
const SINCE_S = UNTIL_S - 600;

function object(id: string, change: Readonly<Record<string, unknown>> = {}): StripeObject {
  const kind = id.startsWith('pi_') ? 'payment_intent' : 'refund';
  const metadata = { resolute_reference: REFERENCE };
  const money = { amount: 1000, currency: 'eur' };
  return { id, object: kind, ...money, status: 'succeeded', created: SINCE_S, metadata, ...change };
}

async function list(
  kind: 'charge' | 'refund' | 'message',
  cursor: string | null = null,
): Promise<Listing> {
  const listing = await provider.listEffects?.({
    kind,
    since: new Date(SINCE_S * 1_000),
    until: new Date(UNTIL_S * 1_000),
    cursor,
    deadline: performance.now() + 5_000,
  });
  if (listing === undefined) throw new Error('it cannot list');
  return listing;
}

async function all(kind: 'charge' | 'refund'): Promise<readonly ListedEffect[]> {
  const effects: ListedEffect[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await list(kind, cursor);
    if (page.kind === 'failed') throw new Error(page.why);
    effects.push(...page.effects);
    if (page.next === null) return effects;
    cursor = page.next;
  }
}

const idOf = ({ finding }: ListedEffect): string =>
  'providerId' in finding ? finding.providerId : '';

it('takes every page of the span, whole seconds from the first on and before the last', async () => {
  for (let index = 0; index < 250; index += 1) {
    server.intents.push(object(`pi_${index + 1}`, { created: SINCE_S + index }));
  }
  server.intents.push(object('pi_998', { created: SINCE_S - 1 }));
  server.intents.push(object('pi_999', { created: UNTIL_S }));
  const ids = (await all('charge')).map(idOf);
  expect(ids).toHaveLength(250);
  expect(new Set(ids).size).toBe(250);
  expect(server.arrived.map(({ path }) => path)).toEqual(Array(3).fill('/v1/payment_intents'));
});

it('refunds are listed of all charges, with their references', async () => {
  server.refunds.push(object('re_1', { payment_intent: 'pi_1' }));
  server.refunds.push(object('re_2', { payment_intent: 'pi_2', metadata: {} }));
  expect(await all('refund')).toEqual([
    {
      finding: { kind: 'applied', providerId: 're_1' },
      amount: 1000,
      currency: 'EUR',
      reference: REFERENCE,
    },
    {
      finding: { kind: 'applied', providerId: 're_2' },
      amount: 1000,
      currency: 'EUR',
      reference: null,
    },
  ]);
});

it.each([
  ['succeeded', 'applied'],
  ['processing', 'pending'],
  ['requires_action', 'pending'],
  ['requires_capture', 'pending'],
])('a charge that is %s is %s', async (status, kind) => {
  server.intents.push(object('pi_1', { status }));
  expect((await all('charge')).map(({ finding }) => finding.kind)).toEqual([kind]);
});

it.each(['requires_payment_method', 'requires_confirmation', 'canceled'])(
  'a charge that is %s has no effect to list, and is understood',
  async (status) => {
    server.intents.push(object('pi_1', { status }));
    expect(await list('charge')).toEqual({ kind: 'page', effects: [], unreadable: 0, next: null });
  },
);

it.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['a status that nobody foresaw', { status: 'settling' }],
  ['a currency whose unit is not certain', { currency: 'ugx' }],
  ['krónur in parts', { currency: 'isk', amount: 150 }],
  ['an amount that is no number', { amount: '1000' }],
])('%s is counted and never guessed, and hides no other', async (_, change) => {
  server.intents.push(object('pi_1', change), object('pi_2'));
  expect(await list('charge')).toMatchObject({
    effects: [{ reference: REFERENCE }],
    unreadable: 1,
  });
});

it('krónur come back in whole ones', async () => {
  server.intents.push(object('pi_1', { currency: 'isk', amount: 150_000 }));
  expect(await all('charge')).toMatchObject([{ amount: 1_500, currency: 'ISK' }]);
});

it('what is no page is asked for again', async () => {
  expect(await list('message')).toMatchObject({ kind: 'failed' });
  await server.close();
  expect(await list('charge')).toMatchObject({ kind: 'failed' });
  server = await startStripeLike();
});

it('an error of Stripe’s is no empty page', async () => {
  server.answers.set('/v1/payment_intents', stripeError(500, { type: 'api_error' }));
  expect(await list('charge')).toEqual({ kind: 'failed', why: 'answer 500' });
});

it('a page that goes on from nowhere is none', async () => {
  const json = { object: 'list', has_more: true, data: [] };
  server.answers.set('/v1/payment_intents', { status: 200, json });
  expect(await list('charge')).toEqual({ kind: 'failed', why: 'a page without an end' });
});
