/** A TCP proxy before PostgreSQL that swallows what passes, and closes nothing. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes everything on; while it swallows, nothing comes back. */
export async function swallowingProxy(target: URL) {
  const state = { swallows: false };
  const sockets = new Set<Socket>();
  /** One for each open connection: makes a black hole of it. */
  const holes = new Set<() => void>();
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    let isHole = false;
    const digHole = (): void => void (isHole = true);
    holes.add(digHole);
    const end = (): void => {
      holes.delete(digHole);
      [client, upstream].forEach((socket: Socket) => socket.destroy());
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', end).on('close', end));
    }
    client.on('data', (bytes: Buffer) => {
      if (!isHole) upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!state.swallows && !isHole) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    swallow: (swallows: boolean) => (state.swallows = swallows),
    /** The network of the connections of now is gone, for good and without a word; later ones pass. */
    loseAll: () => holes.forEach((dig) => dig()),
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
