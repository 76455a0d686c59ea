/**
 * The fence around the bytes, on real sockets: nothing is written past the permit, one deadline holds
 * over connecting, writing and reading, and no connection's death sends anything a second time.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { createFence } from '../../providers/fence';
import { createTransport, type Transport } from '../../providers/transport';
import { until } from '../support/until';

const servers: Server[] = [];
const sockets: Socket[] = [];
const transports: Transport[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  sockets.splice(0).forEach((socket) => socket.destroy());
  servers.splice(0).forEach((server) => server.close());
});

/** A server that does `meet` with each connection; its port. */
async function listen(meet: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    meet(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly budgetMs?: number;
  readonly body?: unknown;
}

function caller(origin: string, connections = 1) {
  const transport = createTransport(origin, { connections });
  transports.push(transport);
  return ({ method = 'POST', budgetMs = 2_000, body = { amount: 1 } }: Call = {}) =>
    transport.call({
      method,
      path: '/charges',
      ...(method === 'POST' && { body }),
      deadline: performance.now() + budgetMs,
    });
}

const CREATED = 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}';

/** Counts requests by their first line, however many connections they come on. */
function counter() {
  let seen = '';
  return {
    see: (chunk: Buffer) => (seen += chunk.toString('latin1')),
    requests: () => seen.split(/(?:POST|GET) \/charges HTTP/).length - 1,
    bytes: () => seen.length,
  };
}

/** Stops this process's turn, as a frozen process or a long collection of garbage would. */
const freeze = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('nothing is written past the permit', () => {
  it('when the process was frozen while it connected', async () => {
    const { see, bytes } = counter();
    const port = await listen((socket) => socket.on('data', see));
    const agent = new Agent({ pipelining: 1 });
    const fence = createFence(performance.now() + 100);
    const sending = request(`http://127.0.0.1:${port}/charges`, {
      dispatcher: agent.compose(fence.interceptor),
      method: 'POST',
      body: '{}',
    });
    freeze(200);
    await expect(sending).rejects.toMatchObject({ name: 'PermitRanOut' });
    await until('the connection that was made is closed', () =>
      sockets.some((socket) => socket.readableEnded || socket.destroyed) ? true : undefined,
    );
    expect({ bytes: bytes(), opened: fence.shut() }).toEqual({ bytes: 0, opened: false });
    await agent.close();
  });

  it('when the deadline passes while it connects: that is proof, not doubt', async () => {
    const seen: Buffer[] = [];
    const port = await listen((socket) => socket.on('data', (chunk) => seen.push(chunk)));
    // The port speaks no TLS, so the connection is never ready.
    const result = await caller(`https://127.0.0.1:${port}`)({ budgetMs: 300 });
    expect(result).toEqual({ kind: 'not_sent', why: 'no connection in time' });
    // A handshake record (0x16) and nothing of ours behind it.
    expect(Buffer.concat(seen)[0]).toBe(0x16);
  });

  it('when the other side hangs up before the connection is ready', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.destroy()));
    const result = await caller(`https://127.0.0.1:${port}`)();
    expect(result).toMatchObject({ kind: 'not_sent' });
  });
});

describe('one deadline holds over everything', () => {
  const reply = (socket: Socket, text: string) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 20);
    socket.once('close', () => clearInterval(timer));
  };

  it.each<[string, (socket: Socket) => void, unknown, number?]>([
    // To write so much down takes a busy machine longer than the others' whole budget.
    ['reads nothing', (socket) => socket.pause(), { pad: 'x'.repeat(16 * 1024 * 1024) }, 4_000],
    ['trickles its headers', (socket) => reply(socket, 'HTTP/1.1 201 Created\r\nX: '), {}],
    [
      'trickles its body',
      (socket) => {
        socket.write('HTTP/1.1 201 Created\r\nContent-Length: 99999\r\n\r\n');
        reply(socket, 'x');
      },
      {},
    ],
  ])('over a server that %s', async (...[, meet, body, budgetMs = 400]) => {
    const port = await listen(meet);
    const begin = performance.now();
    const result = await caller(`http://127.0.0.1:${port}`)({ budgetMs, body });
    expect(result).toEqual({ kind: 'lost', why: 'no answer in time' });
    // How late it comes is the machine's; that it comes at all is ours: none of these servers ends.
    expect(performance.now() - begin).toBeGreaterThan(budgetMs - 50);
  });
});

describe('the death of a kept-alive connection sends nothing twice', () => {
  it.each<[string, 'GET' | 'POST', (socket: Socket) => void]>([
    ['closed as the request comes', 'POST', (socket) => socket.end()],
    ['reset as the request comes', 'POST', (socket) => socket.resetAndDestroy()],
    ['closed as the question comes', 'GET', (socket) => socket.end()],
    ['reset as the question comes', 'GET', (socket) => socket.resetAndDestroy()],
  ])('%s (%s)', async (_title, method, die) => {
    const { see, requests } = counter();
    const port = await listen((socket) => {
      let answered = false;
      socket.on('data', (chunk) => {
        see(chunk);
        if (answered) die(socket);
        else socket.write(CREATED);
        answered = true;
      });
    });
    const call = caller(`http://127.0.0.1:${port}`);
    expect(await call()).toMatchObject({ kind: 'answer', status: 201 });
    expect(await call({ method })).toMatchObject({ kind: 'lost' });
    // The same connection served both: the second call met its death, not a new connection.
    expect({ requests: requests(), connections: sockets.length }).toEqual({
      requests: 2,
      connections: 1,
    });
  });

  it('closed in the moment in which the next request is written', async () => {
    const { see, requests } = counter();
    const port = await listen((socket) =>
      socket.on('data', (chunk) => {
        see(chunk);
        // The answer and the end of the connection in one segment: the next call races the end.
        socket.end(CREATED);
      }),
    );
    const call = caller(`http://127.0.0.1:${port}`);
    const results = [];
    for (let i = 0; i < 50; i += 1) results.push(await call());
    // Whoever lost the race is not answered; nobody's request was seen twice.
    const certain = results.filter((result) => result.kind === 'answer').length;
    const sent = results.filter((result) => result.kind !== 'not_sent').length;
    expect(requests()).toBeLessThanOrEqual(sent);
    expect(requests()).toBeGreaterThanOrEqual(certain);
  });

  it('waits for no other answer on one connection: a second request gets its own', async () => {
    const { see, requests } = counter();
    const port = await listen((socket) =>
      socket.on('data', (chunk) => {
        see(chunk);
        if (requests() === 2) sockets.forEach((one) => one.resetAndDestroy());
      }),
    );
    const call = caller(`http://127.0.0.1:${port}`, 2);
    const results = await Promise.all([call(), call()]);
    expect(results.map(({ kind }) => kind)).toEqual(['lost', 'lost']);
    expect({ requests: requests(), connections: sockets.length }).toEqual({
      requests: 2,
      connections: 2,
    });
  });
});
