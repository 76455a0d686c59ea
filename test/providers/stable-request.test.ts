/**
 * The bytes of a request. A repeat under the same key is the same request only if a later release, or
 * another worker, writes the same bytes: these are pinned, and a change of them is a new contract.
 */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Command } from '../../domain/command';
import { createProviders } from '../../providers/registry';

const permit = () => ({
  providerKey: '01a22c769472741a9fcc768325ffa9ad-a1',
  reference: 'rs-01a22c769472741a9fcc768325ffa9ad-a',
  deadline: performance.now() + 2_000,
});
const charge: Command = {
  kind: 'charge',
  amount: 1000,
  currency: 'EUR',
  source: 'card_1',
  description: 'für Anna',
  metadata: { cart: '7' },
};

/** A provider that never answers well; what it was sent. */
async function recordingServer() {
  const requests: { path: string; key: string; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      requests.push({ path: request.url ?? '', key, body: Buffer.concat(parts).toString() });
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { requests, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

it.each<[string, Command, string, string]>([
  [
    'charge',
    charge,
    '/key/v1/charges',
    '{"amount":1000,"currency":"EUR","source":"card_1","reference":"rs-01a22c769472741a9fcc768325ffa9ad-a"}',
  ],
  [
    'refund',
    { kind: 'refund', amount: 700, currency: 'EUR', charge: 'ch_1' },
    '/key/v1/refunds',
    '{"charge":"ch_1","amount":700,"reference":"rs-01a22c769472741a9fcc768325ffa9ad-a"}',
  ],
])('B57: a %s is the same bytes from every worker and release', async (...row) => {
  const [, command, path, body] = row;
  const server = await recordingServer();
  for (const worker of [1, 2]) {
    const providers = createProviders({
      RESOLUTE_SIMULATOR_URL: server.url,
      // What a deploy may change does not reach the request.
      RESOLUTE_SIMULATOR_CONTRACT: `{"sim-key":{"send":{"budget_ms":${worker * 500}}}}`,
    });
    expect((await providers.get('sim-key')?.send(command, permit()))?.kind).toBe('unknown');
    await Promise.all([...providers.values()].map((each) => each.close()));
  }
  server.close();
  const sent = { path, key: permit().providerKey, body };
  expect(server.requests).toEqual([sent, sent]);
});
