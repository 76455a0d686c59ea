/** The HTTP server: limits, hooks, error answers, routes. Listening is `main.ts`'s business. */
import { randomUUID } from 'node:crypto';
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerCancel } from './cancel';
import { registerDecisions } from './decisions';
import { handleClientError } from './client-error';
import { handleError } from './error-handler';
import { registerDesk } from './desk/register';
import { registerEvents } from './events';
import { type Gateway } from './gateway';
import { registerHealth } from './health';
import { registerIntents } from './intents';
import { registerNotifications } from './notifications';
import { Problem } from './problem';
import { registerReadRoutes } from './read-routes';
import { registerUnmatched } from './unmatched';

const BODY_LIMIT_BYTES = 64 * 1024;
const HEADER_LIMIT_BYTES = 16 * 1024;
/** For receiving a request; answering may take the caller's whole wait. */
const RECEIVE_HEADERS_MS = 10_000;
const RECEIVE_REQUEST_MS = 15_000;
/** Longer than the usual idle time of clients and proxies, so that they hang up first. */
const KEEP_ALIVE_MS = 75_000;

/** Builds it; nothing is opened yet. */
export function createServer(gateway: Gateway, log: FastifyBaseLogger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger a request: lines that need the id carry it themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: RECEIVE_REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES, headersTimeout: RECEIVE_HEADERS_MS },
    // What arrives on open connections while closing is served, then the connection is closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => {
      void handleError(error, request, reply);
    },
  });
  app.setErrorHandler(handleError);
  acceptOnlyJson(app);
  registerUnmatched(app);
  addHeaders(app);
  logCompletion(app);
  registerHealth(app, gateway);
  registerIntents(app, gateway);
  registerReadRoutes(app, gateway);
  registerEvents(app, gateway);
  registerCancel(app, gateway);
  registerNotifications(app, gateway);
  registerDecisions(app, gateway);
  registerDesk(app, gateway);
  return app;
}

/** Bodies stay bytes: the strict parser reads them, and only where a route wants one. */
function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } =
        request.headers;
      const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
      const readable = encoding === 'identity' && charset.toLowerCase() === 'utf-8';
      done(readable ? null : new Problem('unsupported-media-type'), body);
    },
  );
}

function addHeaders(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    });
    done();
  });
  app.addHook('onSend', (_request, reply) => {
    // A connection kept alive would hold up the end of the process.
    if (closing) reply.header('connection', 'close');
    return Promise.resolve();
  });
}

function logCompletion(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        request_id: request.id,
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    );
    done();
  });
}
