/** What the answers to a message mean; whatever is not understood is unknown (INV-5). */
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Provider } from '../../providers/provider';
import { simulatorMessages } from '../../providers/simulator/messages';

let server: Server;
let answer: { status: number; headers?: Record<string, string>; body: string };
let mail: Provider;

beforeAll(async () => {
  server = createServer((_, reply) => {
    reply.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { RESOLUTE_SIMULATOR_URL: `http://127.0.0.1:${port}` };
  const found = simulatorMessages.create(env, {}).find(({ name }) => name === 'sim-mail');
  if (found === undefined) throw new Error('sim-mail is not registered');
  mail = found;
});
afterAll(async () => {
  await mail.close();
  await new Promise((resolve) => server.close(resolve));
});

function sent() {
  const command = { kind: 'message', to: 'to-canary', text: 'text-canary' } as const;
  const permit = { providerKey: 'k', reference: 'r', deadline: performance.now() + 2_000 };
  return mail.send(command, permit);
}

const shown = (changes: object) =>
  JSON.stringify({
    id: 'ms_1',
    object: 'message',
    status: 'succeeded',
    reference: 'r',
    ...changes,
  });

test.each<[number, string, object]>([
  [201, shown({}), { kind: 'applied', providerId: 'ms_1' }],
  [201, shown({ status: 'pending' }), { kind: 'pending', providerId: 'ms_1' }],
  [402, shown({ status: 'declined' }), { kind: 'rejected', declined: false }],
  [201, shown({ reference: 'x' }), { kind: 'conflict' }],
  [201, shown({ status: 'queued' }), { kind: 'unknown' }],
  [201, shown({ object: 'charge' }), { kind: 'unknown' }],
  [201, '<html>', { kind: 'unknown', frozen: false }],
  [401, '{}', { kind: 'not_sent', retryAfterMs: null, answered: true }],
  [400, '{"error":{"code":"already_succeeded"}}', { kind: 'unknown' }],
  [409, '{}', { kind: 'unknown' }],
  [500, '{}', { kind: 'unknown', frozen: false }],
])('%i with %s', async (status, body, finding) => {
  answer = { status, body };
  const found = await sent();
  expect(found).toMatchObject(finding);
  expect(JSON.stringify(found)).not.toContain('canary');
});

test('a 429 was refused before execution and says when to come back', async () => {
  answer = { status: 429, headers: { 'retry-after': '60' }, body: '{}' };
  expect(await sent()).toMatchObject({ kind: 'not_sent', retryAfterMs: 60_000 });
});

test('a replayed error is frozen', async () => {
  answer = { status: 500, headers: { 'idempotent-replayed': 'true' }, body: '{}' };
  expect(await sent()).toMatchObject({ kind: 'unknown', frozen: true });
});
