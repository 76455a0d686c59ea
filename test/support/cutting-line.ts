/** A line to the gateway that cuts its first connections: before the request, or before the answer. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An address that leads to `api`; connection by connection as `cuts` says, the rest untouched. */
export async function cuttingLine(
  api: string,
  cuts: readonly ('request' | 'answer')[],
): Promise<{ readonly url: string; readonly close: () => void }> {
  const { hostname, port } = new URL(api);
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
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  return { url, close: () => void line.close() };
}
