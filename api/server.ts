/** The HTTP server: limits, hooks, error answers, routes. Listening is `main.ts`'s business. */
import { randomUUID } from 'node:crypto';
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerCancel } from './cancel';
import { registerClosings } from './closings';
import { registerDecisions } from './decisions';
import { clientErrorHandler } from './client-error';
import { handleError } from './error-handler';
import { registerDesk } from './desk/register';
import { registerEvents } from './events';
import { registerDocumentation } from './documentation';
import { type Gateway } from './gateway';
import { refuseAmbiguousLines } from './header-lines';
import { registerHealth } from './health';
import { registerIntents } from './intents';
import { type Limits, LIMITS } from './limits';
import { shedWhenLate } from './load-shedding';
import { NO_ROUTE, registerMetrics } from './metrics';
import { intentOf } from './named-intent';
import { registerLookUp } from './look-up';
import { registerNotifications } from './notifications';
import { Problem } from './problem';
import { registerQueue } from './queue';
import { registerReadRoutes } from './read-routes';
import { registerUnmatched } from './unmatched';

/** Longer than the usual idle time of clients and proxies, so that they hang up first. */
const KEEP_ALIVE_MS = 75_000;
/** How often Node looks for requests that take too long to arrive. */
const LOOK_FOR_SLOW_MS = 1_000;

/** Builds it; nothing is opened yet. */
export function createServer(
  gateway: Gateway,
  log: FastifyBaseLogger,
  limits: Limits = LIMITS,
): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger a request: lines that need the id carry it themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.receiveRequestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.receiveHeadersMs,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
      // `header-lines.ts` answers in our own form.
      requireHostHeader: false,
    },
    // What arrives on open connections while closing is served, then the connection is closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler((problem) => {
      gateway.metrics.problems.inc({ route: NO_ROUTE, problem });
    }),
    frameworkErrors: (error, request, reply) => {
      void handleError(error, request, reply);
    },
  });
  app.setErrorHandler(handleError);
  takeWhatNodeWouldNot(app);
  acceptOnlyJson(app);
  addHeaders(app);
  refuseAmbiguousLines(app);
  registerUnmatched(app);
  shedWhenLate(app, limits);
  logCompletion(app);
  registerHealth(app, gateway);
  registerMetrics(app, gateway);
  registerIntents(app, gateway);
  registerReadRoutes(app, gateway);
  registerEvents(app, gateway);
  registerCancel(app, gateway);
  registerNotifications(app, gateway);
  registerDecisions(app, gateway);
  registerClosings(app, gateway);
  registerLookUp(app, gateway);
  registerQueue(app, gateway);
  registerDocumentation(app, gateway);
  registerDesk(app, gateway);
  return app;
}

/** Where Node itself would answer, without a body and in a status that nobody documents. */
function takeWhatNodeWouldNot({ server }: FastifyInstance): void {
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Bounded by their size; beyond a number Node drops them in silence, a second key among them.
  server.maxHeadersCount = 0;
}

/** Bodies stay bytes: the strict parser reads them, and only where a route wants one. */
function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      const {
        'content-encoding': encoding = 'identity',
        'transfer-encoding': transfer = 'chunked',
        'content-type': type = '',
      } = request.headers;
      const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
      const isPlain = encoding === 'identity' && transfer.toLowerCase() === 'chunked';
      const readable = isPlain && charset.toLowerCase() === 'utf-8';
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
        intent: intentOf(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    );
    done();
  });
}
