/** Public cases of keys, business keys and repeats; ids as in docs/public-cases.md. */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { caseStage, idOf } from '../../support/case-stage';
import { charge } from '../../support/intent-client';

const stage = caseStage();

it.concurrent.each([
  ['a UUID', '0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c'],
  ['a ULID', '01JAXQK8T2N4W6Y8Z0A1B2C3D4'],
  ['a bare token', 'B21.a_b~c:d/e+f=g@h-i'],
  ['a quoted text', '"B21 with blanks, and \\"quotes\\""'],
  ['255 characters', 'k'.repeat(255)],
])('B21, B105: %s is a key: sent twice it is one intent', async (what, key) => {
  const source = `card_b21_${what.replaceAll(' ', '_')}`;
  const first = await stage.post(source, { key });
  const again = await stage.post(source, { key });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(first.headers.has('idempotency-replayed')).toBe(false);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
});

it.concurrent('B29: a second key for an order is refused while the first is unknown', async () => {
  const source = 'card_b29';
  await stage.programme(
    source,
    { on: 'charge', do: 'timeout-after-effect' },
    { on: 'query', do: 'timeout', times: 2 },
  );
  const first = await stage.post(source, { wait: 0 });
  await stage.reached(first, 'unknown');
  const second = await stage.post(source, { key: 'b29-other' });
  expect([second.status, second.problem]).toEqual([409, 'business-key-taken']);
  expect(second.body).toMatchObject({
    intent: { id: idOf(first) },
    verdict: { new_key: 'forbidden' },
  });
  expect((await stage.ended(first))['status']).toBe('succeeded');
  expect((await stage.told(source)).effects).toEqual(['charge succeeded']);
});

it.concurrent('B30: two jobs that bill one period at once charge it once', async () => {
  const source = 'card_b30';
  const bill = (key: string, period: string) =>
    stage.post(source, { key: `b30-${key}`, reference: `sub-1:${period}` });
  const both = await Promise.all([bill('job-a', '2026-02'), bill('job-b', '2026-02')]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await bill('job-c', '2026-03')).status).toBe(201);
  expect((await stage.told(source)).effects).toHaveLength(2);
});

it.concurrent('B58: a proxy that sends a POST again makes no second effect', async () => {
  const source = 'card_b58';
  const proxy = await proxyThatSendsTwice(stage.api);
  const reply = await charge(
    proxy.url,
    { source, reference: source, provider: 'sim-lookup' },
    { token: stage.token, key: source, wait: 20 },
  );
  proxy.close();
  expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
});

/** Takes the first answer for a failure of its upstream, as a proxy with retries would. */
async function proxyThatSendsTwice(upstream: string) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { authorization = '', prefer = '' } = request.headers;
      const key = String(request.headers['idempotency-key']);
      const forward = () =>
        fetch(`${upstream}${request.url ?? ''}`, {
          method: 'POST',
          headers: {
            authorization,
            prefer: String(prefer),
            'idempotency-key': key,
            'content-type': 'application/json',
          },
          body: Buffer.concat(parts).toString(),
        });
      void forward()
        .then((first) => first.text())
        .then(forward)
        .then(async (second) => {
          const replayed = second.headers.get('idempotency-replayed') ?? '';
          response.writeHead(second.status, { 'idempotency-replayed': replayed });
          response.end(await second.text());
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
