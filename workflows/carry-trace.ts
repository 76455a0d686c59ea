/**
 * Carries the header of a trace from the start of a run to its activities, and the intent's id into
 * the lines that it logs. No span is made in here: the interceptor that would make them takes random
 * numbers from the workflow and adds a header to every command of every run, traced or not. What this
 * one adds is a header where one came in; commands, their order and their arguments stay the same.
 */
import { type Headers } from '@temporalio/common';
import { proxySinks, type Sinks, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** The name that @temporalio/interceptors-opentelemetry gives it. */
const TRACE_HEADER = '_tracer-data';

/** Told outside of the sandbox, once a run: not during replay. */
export interface TraceSinks extends Sinks {
  traces: {
    ended(run: { readonly header: Headers[string]; readonly intentId: string }): void;
  };
}

const { traces } = proxySinks<TraceSinks>();

export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  let intent: string | undefined;
  return {
    inbound: [
      {
        execute(input, next) {
          intent = intentIdOf(input.args[0]);
          const header = input.headers[TRACE_HEADER];
          if (header === undefined) return next(input);
          carried = { [TRACE_HEADER]: header };
          return next(input).then((result: unknown) => {
            if (intent !== undefined) traces.ended({ header, intentId: intent });
            return result;
          });
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) =>
          next({ ...input, headers: { ...carried, ...input.headers } }),
        scheduleLocalActivity: (input, next) =>
          next({ ...input, headers: { ...carried, ...input.headers } }),
        continueAsNew: (input, next) =>
          next({ ...input, headers: { ...carried, ...input.headers } }),
        getLogAttributes: (input, next) =>
          next(intent === undefined ? input : { ...input, intent }),
      },
    ],
  };
};

function intentIdOf(input: unknown): string | undefined {
  const { intentId } = Object(input) as { readonly intentId?: unknown };
  return typeof intentId === 'string' ? intentId : undefined;
}
