/**
 * What the worker adds around activities and workflows: the intent's id on every line that is logged
 * and on every span, and, where tracing is on, the spans themselves. The trace comes from the gateway
 * in the header of the workflow's start, which `workflows/carry-trace.ts` hands on.
 */
import { ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api';
import { type Context as ActivityContext } from '@temporalio/activity';
import { type Payload } from '@temporalio/common';
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import {
  extractContextFromHeaders,
  TRACE_HEADER,
} from '@temporalio/interceptors-opentelemetry/lib/instrumentation';
import { type ActivityInterceptors } from '@temporalio/worker';
import { type WorkflowInfo } from '@temporalio/workflow';
import { intentAttribute, nameIntent } from './intent-span';

/** Makes the interceptors of one activity's run: its lines and its span carry the intent's id. */
export function nameIntentOf(): ActivityInterceptors {
  let intent: string | undefined;
  return {
    inbound: {
      execute(input, next) {
        intent = intentIdOf(input.args[0]);
        if (intent !== undefined) nameIntent(intent);
        return next(input);
      },
    },
    outbound: {
      getLogAttributes: (input, next) => next(intent === undefined ? input : { ...input, intent }),
    },
  };
}

function intentIdOf(request: unknown): string | undefined {
  const { intentId } = Object(request) as { readonly intentId?: unknown };
  return typeof intentId === 'string' ? intentId : undefined;
}

/** Makes the interceptors that trace one activity's run. */
export function traceActivity(context: ActivityContext): ActivityInterceptors {
  return {
    inbound: new OpenTelemetryActivityInboundInterceptor(context),
    outbound: new OpenTelemetryActivityOutboundInterceptor(context),
  };
}

/** What a workflow tells at its end: whose trace it belongs to, and which intent it settled. */
export interface EndedWorkflow {
  readonly header: Payload;
  readonly intentId: string;
}

/** The span of a whole run, drawn at its end; does nothing without a tracer. */
export function traceWorkflow(tracer: Tracer | undefined) {
  return (info: WorkflowInfo, { header, intentId }: EndedWorkflow): void => {
    const parent = extractContextFromHeaders({ [TRACE_HEADER]: header }) ?? ROOT_CONTEXT;
    const options = {
      kind: SpanKind.INTERNAL,
      startTime: info.startTime,
      attributes: intentAttribute(intentId),
    };
    tracer?.startSpan(`RunWorkflow:${info.workflowType}`, options, parent).end();
  };
}
