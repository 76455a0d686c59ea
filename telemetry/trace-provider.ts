/**
 * A span for one call of a provider. The provider gets no `traceparent`: a request that is repeated
 * under its key must be the same, byte by byte (rule 4).
 */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Finding } from '../domain/journal';

/** A call of a provider. */
export interface ProviderCall {
  readonly provider: string;
  readonly call: 'apply' | 'revert' | 'look_up';
}

/** Calls inside a span that tells what the answer said. */
export function traceProvider(
  { provider, call }: ProviderCall,
  ask: () => Promise<Finding>,
): Promise<Finding> {
  const options = { kind: SpanKind.CLIENT, attributes: { 'resolute.provider': provider } };
  return trace
    .getTracer('resolute')
    .startActiveSpan(`${provider} ${call}`, options, async (span) => {
      try {
        const finding = await ask();
        span.setAttribute('resolute.finding', finding.kind);
        if (finding.kind === 'unknown') span.setStatus({ code: SpanStatusCode.ERROR });
        return finding;
      } finally {
        span.end();
      }
    });
}
