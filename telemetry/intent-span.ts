/** Names the intent on the spans about it: the present one, and all that begin below it. */
import { trace } from '@opentelemetry/api';
import { type Span, type SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Attribute of spans. */
const INTENT = 'resolute.intent';

/** The present span is about this intent. Does nothing where nothing is traced. */
export function nameIntent(intentId: string): void {
  trace.getActiveSpan()?.setAttribute(INTENT, intentId);
}

/** The attribute, for spans that are made whole. */
export function intentAttribute(intentId: string): Readonly<Record<string, string>> {
  return { [INTENT]: intentId };
}

/** Hands the intent's id down to each span that begins. */
export const intentInheritor: SpanProcessor = {
  onStart(span: Span, parentContext) {
    const parent = trace.getSpan(parentContext);
    // Of a span of another process only its ids are known.
    const { attributes = {} } = Object(parent) as {
      attributes?: Readonly<Record<string, unknown>>;
    };
    const intentId = attributes[INTENT];
    if (typeof intentId === 'string') span.setAttribute(INTENT, intentId);
  },
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
