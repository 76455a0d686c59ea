/**
 * A TCP proxy that breaks connections on purpose, in front of a server that does not know of it. It
 * counts connections; what got through is counted by the server.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';

/**
 * - `pass`: nothing is done
 * - `reset-before-request`: reset at the first bytes, which are not passed on
 * - `reset-after-request`: passed on, and reset once the server has answered
 * - `half-answer`: passed on, and closed in the middle of the answer
 * - `black-hole`: accepted, and never answered nor passed on
 * - `silent-answer`: passed on, and the answer withheld
 */
export type Fault =
  | 'pass'
  | 'reset-before-request'
  | 'reset-after-request'
  | 'half-answer'
  | 'black-hole'
  | 'silent-answer';

export interface FaultProxy {
  readonly origin: string;
  /** What is done to connections from now on. */
  fault: Fault;
  /** Connections accepted so far. */
  connections: number;
  close(): Promise<void>;
}

/** Starts one before the server at `port`. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'pass',
    connections: 0,
    close: () => closeAll(server, sockets),
  };
  server.on('connection', (client) => {
    proxy.connections += 1;
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A broken connection is what this proxy is for.
      socket.on('error', () => socket.destroy());
    }
    client.on('close', () => upstream.destroy());
    forward(client, upstream, proxy.fault);
  });
  return proxy;
}

function forward(client: Socket, upstream: Socket, fault: Fault): void {
  client.on('data', (bytes) => {
    if (fault === 'reset-before-request') client.resetAndDestroy();
    else if (fault !== 'black-hole') upstream.write(bytes);
  });
  upstream.on('data', (bytes) => {
    if (fault === 'pass') client.write(bytes);
    if (fault === 'reset-after-request') client.resetAndDestroy();
    // Headers and the first of the body: it looks like a success until it ends.
    if (fault === 'half-answer') client.end(bytes.subarray(0, bytes.length - 20));
  });
  upstream.on('end', () => {
    if (fault === 'pass') client.end();
  });
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  sockets.forEach((socket) => socket.destroy());
  await new Promise((resolve) => server.close(resolve));
}
