/**
 * A line to the real Temporal server that refuses one call, as an authoriser in front of it would. All
 * other calls pass through unchanged.
 */
import { once } from 'node:events';
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Status PERMISSION_DENIED of gRPC. */
const DENIED = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7' };

/** What is refused, and how long the server thinks about it. */
interface Refusal {
  /** `CreateSchedule`, for example. */
  readonly call: string;
  readonly afterMs: number;
}

/** Starts it; `address` is for TEMPORAL_ADDRESS. */
export async function refusingTemporal(upstream: string, { call, afterMs }: Refusal) {
  const server = createServer();
  const line = connect(`http://${upstream}`);
  const passes = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    if (headers[':path']?.endsWith(`/${call}`) === true) {
      await delay(afterMs);
      if (!stream.destroyed) stream.respond(DENIED, { endStream: true });
      return;
    }
    const forwarded = line.request(headers);
    stream.on('error', () => forwarded.close());
    stream.on('close', () => forwarded.close());
    forwarded.on('error', () => stream.close());
    forwarded.on('response', (answer: IncomingHttpHeaders, flags: number) => {
      // Bit 1: the answer is trailers alone.
      const isWhole = (flags & 1) === 1;
      stream.respond(answer, { endStream: isWhole, waitForTrailers: !isWhole });
    });
    forwarded.on('trailers', (trailers: IncomingHttpHeaders) => {
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
    });
    forwarded.on('data', (chunk: Buffer) => stream.write(chunk));
    stream.pipe(forwarded);
  };
  server.on('stream', (stream, headers) => void passes(stream, headers));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close() {
      line.destroy();
      server.close();
    },
  };
}
