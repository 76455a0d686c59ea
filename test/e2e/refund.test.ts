/** Refunds through the real gateway; what really happened is counted in the provider's ledger. */
import { Client, Connection } from '@temporalio/client';
import { endsTheWait, type Status } from '../../domain/status';
import { type SimulatorProvider } from '../../providers/simulator/contracts';
import { documented } from '../support/documented';
import { charge, exchange, refund, type Reply } from '../support/intent-client';
import { readable } from '../support/readable';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready } = sharedStack();
const { api } = ready;
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);

const get = (path: string, as = token): Promise<Reply> => exchange(`${api}${path}`, { token: as });

/** The id of an intent that is answered or attached to a problem. */
function idOf({ body }: Reply): string {
  const intent = (body['intent'] ?? body) as { readonly id: string };
  return intent.id;
}

/** A charge of 10.00 EUR that succeeded; `name` is its source, reference and key. */
async function charged(name: string, provider: SimulatorProvider = 'sim-full'): Promise<string> {
  const reply = await charge(
    api,
    { provider, source: name, reference: name },
    { token, key: name },
  );
  if (reply.status !== 201) throw new Error(`not charged: ${JSON.stringify(reply.body)}`);
  return idOf(reply);
}

interface Wish {
  readonly amount?: number;
  readonly reference?: string;
  readonly wait?: number;
  readonly as?: string;
}

/** Asks for a refund of 7.00 under a key of its own. */
async function giveBack(id: string, key: string, wish: Wish = {}): Promise<Reply> {
  const { amount = 700, reference = key, wait = 20, as = token } = wish;
  const reply = await refund(api, { charge: id, amount, reference }, { token: as, key, wait });
  documented(reply, { method: 'POST', url: `${api}/v1/intents/payment.refund` });
  return reply;
}

async function ended(reply: Reply): Promise<Reply> {
  const path = `/v1/intents/${idOf(reply)}`;
  return until(`${path} ends`, async () => {
    const now = await get(path);
    return endsTheWait(now.body['status'] as Status) ? now : undefined;
  });
}

async function refundsOf(source: string): Promise<readonly (number | null)[]> {
  const { effects } = await simulator.ledger(source);
  return effects.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount);
}

async function callsOf(source: string): Promise<number> {
  const { calls } = await simulator.ledger(source);
  return calls.filter(({ call }) => call === 'refund').length;
}

describe('a refund', () => {
  test('is given back once, in the charge’s currency, by its provider', async () => {
    const id = await charged('card_refund', 'sim-lookup');
    const first = await giveBack(id, 'refund-once');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      operation: 'payment.refund',
      status: 'succeeded',
      charge: id,
      reference: 'refund-once',
      amount: 700,
      currency: 'EUR',
      provider: 'sim-lookup',
      provider_id: expect.stringMatching(/^re_/) as string,
    });
    const again = await giveBack(id, 'refund-once');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await refundsOf('card_refund')).toEqual([700]);
    expect(await callsOf('card_refund')).toBe(1);
  });

  test('is read, listed, explained and announced like any intent', async () => {
    const id = await charged('card_refund_read');
    const done = await giveBack(id, 'refund-read');
    expect((await get(`/v1/intents/${idOf(done)}`)).body).toEqual(done.body);
    const search = '/v1/intents?operation=payment.refund&reference=refund-read';
    expect((await get(search)).body).toEqual({ data: [done.body], next_cursor: null });
    const byKey = '/v1/intents?operation=payment.refund&idempotency_key=refund-read';
    expect((await get(byKey)).body).toEqual({ data: [done.body], next_cursor: null });
    expect((await get(`/v1/intents/${idOf(done)}/explanation`)).body).toMatchObject({
      belief: 'applied',
      attempts: [{ number: 1, verdict: 'applied' }],
      next: { step: 'finish' },
    });
    const types = await until('its outcome is in the feed', async () => {
      const { body } = await get('/v1/events?limit=1000');
      const events = body['data'] as readonly { subject: string; type: string }[];
      const its = events.filter(({ subject }) => subject === idOf(done)).map(({ type }) => type);
      return its.includes('resolute.intent.succeeded') ? its : undefined;
    });
    expect(types[0]).toBe('resolute.intent.accepted');
  });

  test('that is declined says so, has no effect, and frees amount and reference', async () => {
    const source = 'card_refund_declined';
    const id = await charged(source);
    await simulator.programme({ on: 'refund', do: 'decline', match: { source } });
    const wish = { amount: 1000, reference: 'declined' };
    const declined = await giveBack(id, 'refund-declined', wish);
    expect([declined.status, declined.problem]).toEqual([402, 'effect-rejected']);
    expect(declined.body).toMatchObject({ verdict: { new_key: 'safe' } });
    expect((await giveBack(id, 'refund-declined-2', wish)).status).toBe(201);
    expect(await refundsOf(source)).toEqual([1000]);
  });

  test('that the provider refuses, since others refunded there, ends failed', async () => {
    const source = 'card_refund_behind_our_back';
    const id = await charged(source);
    const { body } = await get(`/v1/intents/${id}`);
    const { status } = await fetch(`${ready.simulator}/full/v1/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ charge: body['provider_id'], amount: 400, reference: 'by-hand' }),
    });
    expect(status).toBe(201);
    const reply = await giveBack(id, 'refund-behind');
    expect([reply.status, reply.problem]).toEqual([422, 'effect-rejected']);
    expect(await refundsOf(source)).toEqual([400]);
  });

  test('INV-12: shows operators how much of which charge, and nothing of the payer', async () => {
    const source = 'card_refund_shown';
    const id = await charged(source);
    const done = await giveBack(id, 'refund-shown', { reference: 'return-of-jane-doe' });
    const { desk } = done.body['links'] as { readonly desk: string };
    const connection = await Connection.connect({ address: ready.temporal.address });
    const handle = new Client({ connection }).workflow.getHandle(desk.split('/').at(-1) ?? '');
    const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    await connection.close();
    const text = readable({ history, raw });
    expect(text).toContain(`refund 7.00 EUR of ${id} via sim-full for acme`);
    expect(text).not.toMatch(/card_refund_shown|refund-shown|jane/);
  });

  test('B17: has an identity of its own: the key of its charge may be used again', async () => {
    const id = await charged('card_refund_same_key');
    expect((await giveBack(id, 'card_refund_same_key')).status).toBe(201);
  });
});

/** What a refund of 700 must come to: with look-up and key, look-up only, key only, neither. */
const REFUNDED = ['succeeded', 1] as const;
const REFUSED = ['failed', 0] as const;
const REVIEW = ['in_review', 0] as const;
const REVIEW_WITH = ['in_review', 1] as const;
const TABLE = {
  decline: [REFUSED, REFUSED, REFUSED, REFUSED],
  'timeout-before-effect': [REFUNDED, REFUNDED, REFUNDED, REVIEW],
  'timeout-after-effect': [REFUNDED, REFUNDED, REFUNDED, REVIEW_WITH],
  'reset-after-effect': [REFUNDED, REFUNDED, REFUNDED, REVIEW_WITH],
  'http-500-no-effect': [REFUNDED, REFUNDED, REFUNDED, REVIEW],
  'http-500-stored': [REFUNDED, REFUNDED, REVIEW, REVIEW],
  'http-429': [REFUNDED, REFUNDED, REFUNDED, REFUNDED],
  garbage: [REFUNDED, REFUNDED, REFUNDED, REVIEW_WITH],
} as const;
const PROVIDERS = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const;

describe.each(PROVIDERS.map((provider, column) => ({ provider, column })))(
  'B55: a refund on $provider meets',
  ({ provider, column }) => {
    it.concurrent.each(Object.entries(TABLE))('%s', async (behaviour, endings) => {
      const source = `card_refund_${provider}_${behaviour}`;
      const id = await charged(source, provider);
      await simulator.programme({ on: 'refund', do: behaviour, match: { source } });
      const { body } = await ended(await giveBack(id, source));
      expect([body['status'], (await refundsOf(source)).length]).toEqual(endings[column]);
    });
  },
);

test.each(['sim-full', 'sim-key'] as const)(
  'on %s a decline that follows a lost answer ends failed, without effect',
  async (provider) => {
    const source = `card_refund_late_decline_${provider}`;
    const id = await charged(source, provider);
    await simulator.programme({ on: 'refund', do: 'timeout-before-effect', match: { source } });
    await simulator.programme({ on: 'refund', do: 'decline', times: 'always', match: { source } });
    expect((await ended(await giveBack(id, source))).body['status']).toBe('failed');
    expect(await refundsOf(source)).toEqual([]);
  },
);

describe('together the refunds of a charge', () => {
  test('never exceed it: of two at once of 7.00 on 10.00 one is accepted', async () => {
    const source = 'card_two_refunds';
    const id = await charged(source);
    const replies = await Promise.all([giveBack(id, 'two-a'), giveBack(id, 'two-b')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.problem).toBe('refund-exceeds-charge');
    expect(refused?.body).toMatchObject({
      intent: { id, operation: 'payment.charge', amount: 1000 },
      detail: expect.stringContaining('At most 3.00 EUR') as string,
    });
    expect(await refundsOf(source)).toEqual([700]);
  });

  test('never exceed it while the first is unknown, nor after it was found', async () => {
    const source = 'card_refund_unknown';
    const id = await charged(source);
    await simulator.programme({ on: 'refund', do: 'timeout-after-effect', match: { source } });
    await simulator.programme({ on: 'query', do: 'timeout', times: 2, match: { source } });
    const first = await giveBack(id, 'unknown-a', { wait: 0 });
    await until('the first is unknown', async () => {
      const { body } = await get(`/v1/intents/${idOf(first)}`);
      return body['status'] === 'unknown' ? true : undefined;
    });
    const second = await giveBack(id, 'unknown-b');
    expect([second.status, second.problem]).toEqual([409, 'refund-exceeds-charge']);
    expect((await ended(first)).body['status']).toBe('succeeded');
    expect((await giveBack(id, 'unknown-b')).status).toBe(409);
    expect((await giveBack(id, 'unknown-c', { amount: 300 })).status).toBe(201);
    expect(await refundsOf(source)).toEqual([700, 300]);
  });

  test('are ten of fifty of 1.00 at once on 10.00', async () => {
    const source = 'card_fifty_refunds';
    const id = await charged(source);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => giveBack(id, `fifty-${n}`, { amount: 100, wait: 60 })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(40);
    expect(await refundsOf(source)).toEqual(Array.from({ length: 10 }, () => 100));
  }, 90_000);

  test('have references of their own, charge by charge', async () => {
    const [one, other] = [await charged('card_refs_one'), await charged('card_refs_other')];
    const wish = { amount: 100, reference: 'return-1' };
    const first = await giveBack(one, 'refs-a', wish);
    const taken = await giveBack(one, 'refs-b', wish);
    expect([taken.status, taken.problem]).toEqual([409, 'business-key-taken']);
    expect(idOf(taken)).toBe(idOf(first));
    expect((await giveBack(other, 'refs-c', wish)).status).toBe(201);
  });
});

describe('a repeat comes before every refusal', () => {
  test('also when nothing is left of the charge', async () => {
    const id = await charged('card_refund_repeat');
    const wish = { amount: 1000 };
    const first = await giveBack(id, 'repeat-full', wish);
    const again = await giveBack(id, 'repeat-full', wish);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await giveBack(id, 'repeat-full', { amount: 999 });
    expect([other.status, other.problem]).toEqual([422, 'idempotency-key-reused']);
    const elsewhere = await giveBack('01a22c76-9472-741a-9fcc-768325ffa9ad', 'repeat-full', wish);
    expect([elsewhere.status, elsewhere.problem]).toEqual([422, 'idempotency-key-reused']);
  });

  test('fifty twins of a whole refund are one refund and one answer', async () => {
    const source = 'card_refund_twins';
    const id = await charged(source);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => giveBack(id, 'refund-twins', { amount: 1000, wait: 30 })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(await refundsOf(source)).toEqual([1000]);
  }, 60_000);
});

describe('what cannot be refunded leaves no row and no call:', () => {
  async function refusal(id: string, source: string): Promise<Reply> {
    const reply = await giveBack(id, `key-${source}`, { reference: source });
    const left = await get(`/v1/intents?operation=payment.refund&reference=${source}`);
    expect(left.body['data']).toEqual([]);
    expect(await callsOf(source)).toBe(0);
    return reply;
  }

  test.each([
    ['a declined charge', 'sim-full', 'decline', 'failed'],
    ['a charge in review', 'sim-blind', 'timeout-after-effect', 'in_review'],
    ['a pending charge', 'sim-full', 'pending', 'pending'],
  ])('%s', async (...row) => {
    const [, provider, behaviour, status] = row;
    const source = `card_not_refundable_${behaviour}`;
    await simulator.programme({ on: 'charge', do: behaviour, match: { source } });
    const body = { provider, source, reference: source };
    const id = idOf(await charge(api, body, { token, key: source, wait: 0 }));
    await until(`it is ${status}`, async () =>
      (await get(`/v1/intents/${id}`)).body['status'] === status ? true : undefined,
    );
    const reply = await refusal(id, source);
    expect([reply.status, reply.problem]).toEqual([409, 'charge-not-refundable']);
    expect(reply.body).toMatchObject({
      intent: { id, status },
      detail: expect.stringContaining(`it is ${status}`) as string,
    });
  });

  test('a canceled charge', async () => {
    const source = 'card_refund_canceled';
    await simulator.programme({ on: 'charge', do: 'http-429', times: 'always', match: { source } });
    const body = { source, reference: source };
    const id = idOf(await charge(api, body, { token, key: source, wait: 0 }));
    await exchange(`${api}/v1/intents/${id}/cancel`, { token, method: 'POST' });
    const reply = await refusal(id, source);
    expect([reply.status, reply.problem]).toEqual([409, 'charge-not-refundable']);
  });

  test('INV-11: a foreign charge, which looks like one that never was, and a refund', async () => {
    const id = await charged('card_refund_foreign');
    const as = ready.tenants.globex.token;
    const foreign = await giveBack(id, 'foreign', { as });
    const none = await giveBack('01a22c76-9472-741a-9fcc-768325ffa9ad', 'foreign', { as });
    expect([foreign.status, foreign.problem]).toEqual([404, 'not-found']);
    expect([none.status, none.body]).toEqual([404, foreign.body]);
    const itself = await giveBack(id, 'refund-of-refund', { amount: 1 });
    const twice = await giveBack(idOf(itself), 'refund-of-refund-2', { amount: 1 });
    expect([twice.status, twice.problem]).toEqual([404, 'not-found']);
    expect(await refundsOf('card_refund_foreign')).toEqual([1]);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['no amount', { amount: undefined }],
    ['nothing', { amount: 0 }],
    ['a fraction', { amount: 1.5 }],
    ['a currency', { currency: 'EUR' }],
    ['a provider', { provider: 'sim-key' }],
    ['a charge that is no id', { charge: 'order-1' }],
    ['no reference', { reference: undefined }],
  ])('a body with %s', async (_title, wrong) => {
    const id = await charged('card_refund_bad');
    const body = { charge: id, amount: 1, reference: 'refund-bad', ...wrong };
    const reply = await exchange(`${api}/v1/intents/payment.refund`, {
      token,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'refund-bad' },
      body: JSON.stringify(body),
    });
    expect([reply.status, reply.problem]).toEqual([400, 'invalid-parameters']);
    expect(await callsOf('card_refund_bad')).toBe(0);
  });

  test('a token without the scope, an operator, and nobody', async () => {
    const id = await charged('card_refund_scope');
    const statuses = [];
    for (const as of [ready.operators.olive.token, 'nobody']) {
      statuses.push((await giveBack(id, 'scope', { as })).status);
    }
    expect(statuses).toEqual([403, 401]);
  });
});

describe('a cancel of a refund', () => {
  const cancel = (id: string): Promise<Reply> =>
    exchange(`${api}/v1/intents/${id}/cancel`, {
      token,
      method: 'POST',
      headers: { prefer: 'wait=30' },
    });

  test('INV-9: before anything could be sent ends canceled, and frees the amount', async () => {
    const source = 'card_refund_cancel';
    const id = await charged(source);
    await simulator.programme({ on: 'refund', do: 'http-429', times: 'always', match: { source } });
    const begun = await giveBack(id, 'cancel-early', { amount: 1000, wait: 0 });
    const reply = await cancel(idOf(begun));
    expect([reply.status, reply.body['status']]).toEqual([200, 'canceled']);
    expect(await refundsOf(source)).toEqual([]);
    const anew = await giveBack(id, 'cancel-anew', { amount: 1000, wait: 0 });
    expect(anew.status).toBe(202);
    expect((await cancel(idOf(anew))).status).toBe(200);
  });

  test('INV-9: while it is given back comes too late: money that left is not fetched', async () => {
    const source = 'card_refund_cancel_late';
    const id = await charged(source);
    await simulator.programme({ on: 'refund', do: 'slow', delay_ms: 600, match: { source } });
    const begun = await giveBack(id, 'cancel-late', { wait: 0 });
    await until('the provider was called', async () =>
      (await callsOf(source)) > 0 ? true : undefined,
    );
    const reply = await cancel(idOf(begun));
    expect([reply.status, reply.problem]).toEqual([409, 'too-late']);
    expect(reply.body).toMatchObject({ intent: { status: 'succeeded' } });
    expect(reply.body['detail']).not.toMatch(/refund it/i);
    const { effects } = await simulator.ledger(source);
    expect(effects.map(({ kind }) => kind)).toEqual(['charge', 'refund']);
  });
});
