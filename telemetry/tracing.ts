/**
 * Traces, sent by OTLP over HTTP where `OTEL_EXPORTER_OTLP_ENDPOINT` says whereto; without it nothing
 * of this is set up, and the calls of the OpenTelemetry API that are left in the code do nothing.
 * The exporter reads the other variables of OpenTelemetry (headers, time-out, sampler) by itself.
 */
import { trace, type Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ConfigurationError, optional } from '../config/environment';
import { intentInheritor } from './intent-span';

/** A process that is traced. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left. Never rejects: a collector that is away must not hold up the end. */
  close(): Promise<void>;
}

/** Sets tracing up for this process; null where it is not wanted. Throws ConfigurationError. */
export function startTracing(env: NodeJS.ProcessEnv, program: 'api' | 'worker'): Tracing | null {
  const endpoint = optional(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', '');
  if (endpoint === '') return null;
  if (!URL.canParse(endpoint)) {
    throw new ConfigurationError('OTEL_EXPORTER_OTLP_ENDPOINT is not a URL.');
  }
  const provider = new NodeTracerProvider({
    resource: Resource.default().merge(new Resource({ 'service.name': `resolute-${program}` })),
    spanProcessors: [intentInheritor, new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // No baggage: it is a caller's text, and would get into Temporal's histories (INV-12).
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return {
    tracer: trace.getTracer('resolute'),
    async close() {
      await Promise.allSettled([provider.shutdown()]);
    },
  };
}
