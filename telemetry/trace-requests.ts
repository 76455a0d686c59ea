/**
 * One span for each request to the gateway, continuing the caller's trace where it sent `traceparent`.
 * Of its `tracestate`, which is free text, nothing is kept: it would travel into Temporal's histories.
 */
import { AsyncResource } from 'node:async_hooks';
import {
  context,
  type Context,
  defaultTextMapGetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { intentAttribute } from './intent-span';

/** Asked too often by machines to be worth a trace. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

interface Traced {
  readonly span: Span;
  readonly scope: AsyncResource;
}

/** Adds the hooks; call it before the server is ready. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const open = new WeakMap<FastifyRequest, Traced>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (route === undefined || UNTRACED.has(route)) {
      done();
      return;
    }
    const parent = callersContext(request);
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER }, parent);
    span.setAttributes({ 'http.request.method': request.method, 'http.route': route });
    const { id } = Object(request.params) as { readonly id?: unknown };
    if (typeof id === 'string') span.setAttributes(intentAttribute(id));
    context.with(trace.setSpan(parent, span), () => {
      open.set(request, { span, scope: new AsyncResource('resolute.request') });
      done();
    });
  });

  // The body arrives in the socket's own context: what follows goes on in the request's.
  app.addHook('preValidation', (request, _reply, done) => {
    const traced = open.get(request);
    if (traced === undefined) done();
    else traced.scope.runInAsyncScope(done);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const span = open.get(request)?.span;
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

function callersContext({ headers }: FastifyRequest): Context {
  const { traceparent } = headers;
  return propagation.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}
