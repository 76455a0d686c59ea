/**
 * A server at which a client meets what networks and gateways do: answers by a script, connections
 * that are cut or stay silent. It keeps what it was sent.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What happens to one request; the last of a script happens to all that follow. */
export type Scripted =
  | 'cut'
  | 'cut-in-mid-answer'
  | 'silence'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };

/** A request as it arrived. */
export interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** Starts it on a free port. */
export async function scriptedGateway(...script: readonly Scripted[]) {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      arrived.push({ method, url, headers, body, at: performance.now() });
      const next = script[Math.min(arrived.length, script.length) - 1] ?? 'cut';
      if (next === 'silence') return;
      if (next === 'cut') {
        request.socket.resetAndDestroy();
        return;
      }
      if (next === 'cut-in-mid-answer') {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"id":');
        setImmediate(() => request.socket.destroy());
        return;
      }
      const isProblem = next.status >= 400;
      const type = isProblem ? 'application/problem+json' : 'application/json';
      response.writeHead(next.status, { 'content-type': type, ...next.headers });
      response.end(next.body === undefined ? '' : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    arrived,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
