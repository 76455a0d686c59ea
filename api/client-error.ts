/** What Node's parser refuses before there is a request: answered by hand, then the line is cut. */
import { type Socket } from 'node:net';
import { problemAnswer, type ProblemName } from './problem';

/** Fastify's handler of broken connections. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The caller is gone, or cannot be answered any more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const name: ProblemName =
    error.code === 'HPE_HEADER_OVERFLOW' ? 'header-fields-too-large' : 'malformed-request';
  const { status, body } = problemAnswer(name);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${name}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
