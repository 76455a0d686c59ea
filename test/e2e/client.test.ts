/** The typed client against the real stack, over networks that lose what it sends or is told. */
import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from '../../client/client';
import { DOCUMENT, undocumented } from '../support/documented';
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

/** A line to the gateway that cuts its first connections: before the request, or before the answer. */
async function cuttingLine(cuts: readonly ('request' | 'answer')[]): Promise<string> {
  const { hostname, port } = new URL(ready.api);
  let connections = 0;
  const line = createServer((caller) => {
    const cut = cuts[connections];
    connections += 1;
    const gateway: Socket = connect(Number(port), hostname);
    caller.on('error', () => gateway.destroy());
    gateway.on('error', () => caller.destroy());
    caller.once('close', () => gateway.destroy());
    if (cut === 'request') {
      caller.once('data', () => caller.resetAndDestroy());
      return;
    }
    caller.pipe(gateway);
    if (cut === 'answer') gateway.once('data', () => caller.resetAndDestroy());
    else gateway.pipe(caller);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  open.push(line);
  return `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
}

test('a lost request and lost answers are one effect, and the caller learns its outcome', async () => {
  const baseUrl = await cuttingLine(['request', 'answer', 'answer']);
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
    readonly requestBody?: {
      readonly content: Record<string, { examples: { usual: { value: unknown } } }>;
    };
  }
  for (const [path, { post }] of Object.entries(DOCUMENT.paths)) {
    const example = (post as Example | undefined)?.requestBody?.content['application/json'];
    if (example === undefined) continue;
    const reply = await exchange(`${ready.api}${path}`, {
      token,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(example.examples.usual.value),
    });
    // Another suite may have taken the example's reference.
    expect([201, 202, 404, 409]).toContain(reply.status);
    const { status, body } = reply;
    const contentType = reply.headers.get('content-type') ?? undefined;
    expect(undocumented({ method: 'POST', url: path, status, contentType, body })).toEqual([]);
  }
}, 40_000);
