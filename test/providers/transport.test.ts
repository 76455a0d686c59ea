/** What is certain after one HTTP call, against servers that misbehave on a real socket. */
import { createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';
import { createTransport, type HttpResult } from '../../providers/transport';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** A server that does `answer` with each connection once the first bytes came; counts requests. */
async function serve(answer: (socket: Socket) => void) {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      answer(socket);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, requests: () => requests };
}

const http = (status: string, body = '', headers = '') =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

async function post(origin: string, budgetMs = 500): Promise<HttpResult> {
  const transport = createTransport(origin);
  try {
    return await transport.call({
      method: 'POST',
      path: '/charges',
      body: { amount: 1 },
      deadline: performance.now() + budgetMs,
    });
  } finally {
    await transport.close();
  }
}

it('a whole answer is an answer, with its marks', async () => {
  const reply = http(
    '201 Created',
    '{"id":"ch_1"}',
    'Idempotent-Replayed: true\r\nRetry-After: 7\r\n',
  );
  const { origin } = await serve((socket) => socket.end(reply));
  expect(await post(origin)).toEqual({
    kind: 'answer',
    status: 201,
    replayed: true,
    retryAfterMs: 7_000,
    json: { id: 'ch_1' },
  });
});

it.each([
  ['a redirect is not followed', http('302 Found', '', 'Location: /elsewhere\r\n'), 302],
  ['an empty body is no object', http('200 OK'), 200],
  ['a text is no object', http('200 OK', 'thank you'), 200],
  ['a list is no object', http('200 OK', '[1]'), 200],
  ['a server error is an answer', http('503 Service Unavailable', '<html>'), 503],
])('%s', async (_title, reply, status) => {
  const { origin, requests } = await serve((socket) => socket.end(reply));
  expect(await post(origin)).toMatchObject({ kind: 'answer', status, json: undefined });
  expect(requests()).toBe(1);
});

it.each([
  ['a reset', (socket: Socket) => socket.resetAndDestroy()],
  ['a closed connection', (socket: Socket) => socket.end()],
  [
    'half an answer',
    (socket: Socket) => socket.end('HTTP/1.1 201 Created\r\nContent-Length: 90\r\n\r\n{"id"'),
  ],
  ['silence', () => undefined],
  [
    'an answer that never ends',
    (socket: Socket) => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{'),
  ],
  [
    'a body over the limit',
    (socket: Socket) => socket.end(http('200 OK', `"${'x'.repeat(70_000)}"`)),
  ],
  ['no HTTP at all', (socket: Socket) => socket.end('220 smtp.example.com\r\n')],
])('B58: after %s nothing is certain, and nothing is sent again', async (_title, answer) => {
  const { origin, requests } = await serve(answer);
  expect((await post(origin)).kind).toBe('lost');
  expect(requests()).toBe(1);
});

it('B88: a silent provider is told as such', async () => {
  const { origin } = await serve(() => undefined);
  expect(await post(origin, 200)).toEqual({ kind: 'lost', why: 'no answer in time' });
});

it('a closed port proves that no byte left', async () => {
  const { origin } = await serve(() => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(await post(origin)).toEqual({ kind: 'not_sent', why: 'no connection (ECONNREFUSED)' });
});

it('a permit that has run out sends nothing (INV-2)', async () => {
  const { origin, requests } = await serve((socket) => socket.end(http('201 Created', '{}')));
  expect(await post(origin, 0)).toEqual({ kind: 'not_sent', why: 'the permit had run out' });
  expect(requests()).toBe(0);
});
