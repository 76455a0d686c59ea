/** What a request is answered with; made by pure functions, sent by one. */
import { type FastifyReply, type FastifyRequest } from 'fastify';

/** Status, header fields and JSON body of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Its name, where the answer is a problem. */
  readonly problem?: string;
}

const problems = new WeakMap<FastifyRequest, string>();

/** The problem that a request was answered with; undefined for any other answer. */
export function problemOf(request: FastifyRequest): string | undefined {
  return problems.get(request);
}

/**
 * Sends it, as bytes: to a text or an object of type JSON the framework adds a charset, which is no
 * part of a problem's media type (RFC 9457, 6.1).
 */
export function send(
  reply: FastifyReply,
  { status, headers, body, problem }: Answer,
): FastifyReply {
  if (problem !== undefined) problems.set(reply.request, problem);
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...headers })
    .send(Buffer.from(JSON.stringify(body)));
}
