// The HTTP server under both faces: bodies stay text until a route reads them, errors are JSON.

import Fastify, { type FastifyInstance } from 'fastify';

import { failure } from './answer';
import { Refusal } from './shape';

const BODY_LIMIT_BYTES = 256 * 1024;

export function createHttp(): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit: BODY_LIMIT_BYTES });
  // One parser for every content type: a call with a broken body must reach its route, since the
  // ledger keeps a line of it too.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  app.setNotFoundHandler(async (_request, reply) => {
    return reply.code(404).send(failure(404, 'not_found', 'There is no such endpoint.').body);
  });
  app.setErrorHandler(async (error, _request, reply) => {
    const refused = error instanceof Refusal;
    const status = refused ? 400 : statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    const code = status < 500 ? 'invalid_request' : 'internal_error';
    return reply.code(status).send(failure(status, code, message).body);
  });
  return app;
}

function statusOf(error: unknown): number {
  const known = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof known === 'number' ? known : 500;
}
