/** What Node's parser refuses before there is a request: answered by hand, then the line is cut. */
import { type Socket } from 'node:net';
import { problemAnswer, type ProblemName } from './problem';

/** Makes Fastify's handler of broken connections; it tells which problem each was answered with. */
export function clientErrorHandler(onProblem: (problem: ProblemName) => void) {
  return function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // The caller is gone, or cannot be answered any more.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const name = nameOf(error.code);
    onProblem(name);
    answerByHand(socket, name);
  };
}

function answerByHand(socket: Socket, name: ProblemName): void {
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

function nameOf(code: string | undefined): ProblemName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header-fields-too-large';
  // Of a caller who sends slower than the limits allow, by fault or in order to occupy us.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-request';
}
