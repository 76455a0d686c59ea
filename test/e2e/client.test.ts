/** The typed client against the real stack, over networks that lose what it sends or is told. */
import { randomUUID } from 'node:crypto';
import { Client } from '../../client/client';
import { type Decision } from '../../client/types';
import { cuttingLine } from '../support/cutting-line';
import { DOCUMENT, documented } from '../support/documented';
import { exchange } from '../support/intent-client';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';

const { ready } = sharedStack();
const token = ready.tenants.acme.token;
const simulator = simulatorClient(ready.simulator_admin);
const resending = { firstPauseMs: 20, longestPauseMs: 200 };
const direct = new Client({ baseUrl: ready.api, token, resending });

const open: { close: () => unknown }[] = [];
afterAll(() => open.forEach((one) => one.close()));

/** Its address. */
async function lineThatCuts(...cuts: readonly ('request' | 'answer')[]): Promise<string> {
  const line = await cuttingLine(ready.api, cuts);
  open.push(line);
  return line.url;
}

test('a lost request and lost answers are one effect, and the caller learns its outcome', async () => {
  const baseUrl = await lineThatCuts('request', 'answer', 'answer');
  const client = new Client({ baseUrl, token, resending });
  const source = `card_${randomUUID()}`;
  const result = await client.create(
    'payment.charge',
    { amount: 1000, currency: 'EUR', source, reference: source.slice(0, 40) },
    { idempotencyKey: randomUUID(), wait: 30 },
  );
  expect(result).toMatchObject({ status: 'succeeded', isRepeat: true });
  expect((await simulator.ledger(source)).effects).toHaveLength(1);
}, 60_000);

test('an answer that the provider lost is waited for, explained, listed, and read in the feed', async () => {
  const source = `card_${randomUUID()}`;
  const reference = source.slice(0, 40);
  await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const parameters = { amount: 1000, currency: 'EUR', source, reference };
  const idempotencyKey = `a key of ${source}`;
  const asked = await direct.create('payment.charge', parameters, { idempotencyKey, wait: 0 });
  expect(asked.status).toBe('accepted');
  const result = await direct.waitForOutcome(asked);
  expect(result).toMatchObject({ status: 'succeeded', verdict: { new_key: 'forbidden' } });
  const { id } = result.intent;
  expect(await direct.explanation(id)).toMatchObject({
    belief: 'applied',
    next: { step: 'finish' },
  });
  const found = await direct.list({ operation: 'payment.charge', idempotencyKey });
  expect(found.data.map((intent) => intent.id)).toEqual([id]);
  const seen: string[] = [];
  for await (const { data } of direct.events({ limit: 1_000 })) {
    seen.push(...data.filter(({ subject }) => subject === id).map(({ type }) => type));
    if (seen.includes('resolute.intent.succeeded')) break;
  }
  expect(seen).toContain('resolute.intent.unknown');
  expect((await simulator.ledger(source)).effects).toHaveLength(1);
}, 90_000);

test('what has ended cannot be canceled: the problem has its intent', async () => {
  const source = `card_${randomUUID()}`;
  const parameters = { amount: 1, currency: 'EUR', source, reference: source.slice(0, 40) };
  const { intent } = await direct.create('payment.charge', parameters, {
    idempotencyKey: randomUUID(),
    wait: 30,
  });
  await expect(direct.cancel(intent.id)).rejects.toMatchObject({
    problem: 'too-late',
    intent: { id: intent.id, status: 'succeeded' },
  });
}, 40_000);

test('a part of a charge is given back, once, although its answer is lost', async () => {
  const source = `card_${randomUUID()}`;
  const parameters = { amount: 1000, currency: 'EUR', source, reference: source.slice(0, 40) };
  const { intent } = await direct.create('payment.charge', parameters, {
    idempotencyKey: randomUUID(),
    wait: 30,
  });
  const client = new Client({ baseUrl: await lineThatCuts('answer'), token, resending });
  const asked = { charge: intent.id, amount: 700, reference: 'return-1' };
  const idempotencyKey = randomUUID();
  const refund = await client.create('payment.refund', asked, { idempotencyKey, wait: 30 });
  expect(refund).toMatchObject({ status: 'succeeded', isRepeat: true });
  expect(refund.intent).toMatchObject({ charge: intent.id, amount: 700, currency: 'EUR' });
  const { effects } = await simulator.ledger(source);
  expect(effects.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['charge', 1000],
    ['refund', 700],
  ]);
}, 60_000);

describe('an operator', () => {
  const olive = new Client({ baseUrl: ready.api, token: ready.operators.olive.token, resending });
  const oscar = new Client({ baseUrl: ready.api, token: ready.operators.oscar.token, resending });

  /** A charge with a provider that nobody can ask, in review. */
  async function inReview(amount: number) {
    const source = `card_${randomUUID()}`;
    await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
    const reference = source.slice(0, 40);
    const parameters = { provider: 'sim-blind', amount, currency: 'EUR', source, reference };
    const asked = await direct.create('payment.charge', parameters, {
      idempotencyKey: randomUUID(),
      wait: 30,
    });
    const result = await direct.waitForOutcome(asked);
    expect(result.status).toBe('in_review');
    const { data } = await olive.list({ status: 'in_review', reference });
    expect(data.map(({ id }) => id)).toEqual([result.intent.id]);
    return { id: result.intent.id, source };
  }

  const applied = (decision_id: string): Decision => ({
    decision_id,
    decision: 'applied',
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
  });

  test('finds, explains and ends what nobody else can', async () => {
    const { id, source } = await inReview(1000);
    expect((await olive.explanation(id)).allowed).toContain('applied');
    const decided = await olive.decide(id, applied(source));
    expect(decided.decision).toEqual({ decision_id: source, state: 'effective' });
    expect(await olive.waitForOutcome(decided)).toMatchObject({ status: 'succeeded' });
    // Sent again, as after a lost answer: the same decision.
    expect((await olive.decide(id, applied(source))).status).toBe('succeeded');
    await expect(olive.cancel(id)).rejects.toMatchObject({ problem: 'too-late' });
  }, 90_000);

  test('proposes above the threshold, and another one approves', async () => {
    const { id, source } = await inReview(100_001);
    const proposed = await olive.decide(id, applied(source));
    expect(proposed).toMatchObject({ status: 'in_review', decision: { state: 'proposed' } });
    await expect(olive.approve(id, source)).rejects.toMatchObject({
      problem: 'decision-not-legal',
      intent: { id, status: 'in_review' },
    });
    const approved = await oscar.approve(id, source);
    expect(approved.decision.state).toBe('effective');
    expect((await oscar.waitForOutcome(approved)).status).toBe('succeeded');
    expect((await simulator.ledger(source)).effects).toHaveLength(1);
  }, 90_000);

  test('cancels for the tenant, and a tenant decides nothing', async () => {
    const { id, source } = await inReview(1000);
    expect((await olive.cancel(id, { wait: 0 })).status).toBe('in_review');
    expect((await olive.explanation(id)).cancel).toMatchObject({ by: 'operator olive' });
    await expect(direct.decide(id, applied(source))).rejects.toMatchObject({ status: 403 });
  }, 90_000);
});

describe('B21: posted twice through the real ingress, a key in each advertised form is one intent', () => {
  const unique = randomUUID();
  test.each([
    ['a UUID', unique, unique],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '"01ARZ3NDEKTSV4RRFFQ69G5FAV"'],
    ['every bare character', `${unique}._~:/+=@-`, `  "${unique}._~:/+=@-"\t`],
    ['a text with blanks and commas', `"a, b; ${unique}"`, ` "a, b; ${unique}" `],
    ['escapes', `"\\"\\\\${unique}"`, `"\\"\\\\${unique}"`],
    ['one character', '1', '"1"'],
    ['255 characters', unique.padEnd(255, 'x'), `"${unique.padEnd(255, 'x')}"`],
  ])(
    '%s',
    async (_, form, otherForm) => {
      const source = `card_${randomUUID()}`;
      const body = { amount: 1, currency: 'EUR', source, reference: source.slice(0, 40) };
      const send = (key: string) =>
        exchange(`${ready.api}/v1/intents/payment.charge`, {
          token: ready.tenants.globex.token,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': key,
            prefer: 'wait=30',
          },
          body: JSON.stringify(body),
        });
      const [first, second] = [await send(form), await send(otherForm)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.body).toEqual(first.body);
      expect((await simulator.ledger(source)).effects).toHaveLength(1);
    },
    40_000,
  );
});

test('the examples of the document are answered as it says', async () => {
  interface Example {
    readonly security: readonly Readonly<Record<string, unknown>>[];
    readonly requestBody?: {
      readonly content: Record<string, { examples?: { usual: { value: unknown } } }>;
    };
  }
  const operator = ready.operators.olive.token;
  for (const [path, { post }] of Object.entries(DOCUMENT.paths)) {
    const { security, requestBody } = (post ?? { security: [] }) as unknown as Example;
    const example = requestBody?.content['application/json']?.examples;
    if (example === undefined) continue;
    const url = `${ready.api}${path.replace('{id}', randomUUID())}`;
    const reply = await exchange(url, {
      token: security.some((way) => 'operator' in way) ? operator : token,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(example.usual.value),
    });
    // Another suite may have taken the example's reference; nobody has the example's charge.
    expect([201, 202, 404, 409]).toContain(reply.status);
    documented(reply, { method: 'POST', url });
  }
}, 40_000);
