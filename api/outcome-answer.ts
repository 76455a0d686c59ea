/** From an intent's present state to an answer: the table of docs/api.md as code. Pure. */
import { type IntentRow } from '../store/intent-row';
import { type Answer } from './answer';
import { intentPath, intentView, verdictOf, type Viewer } from './intent-view';
import { problemAnswer, type ProblemName, type ProblemOptions } from './problem';

/** What the answer depends on besides the intent. */
export interface Circumstances extends Viewer {
  /** The identity had been claimed before this request. */
  readonly isRepeat: boolean;
  readonly now: Date;
}

/** Answers a request to perform an operation, first or repeated. */
export function outcomeAnswer(intent: IntentRow, circumstances: Circumstances): Answer {
  const repeat = circumstances.isRepeat ? { 'idempotency-replayed': 'true' } : {};
  const headers = { ...repeat, location: intentPath(intent.id) };
  const problem = (name: ProblemName, status?: number): Answer =>
    intentProblem(name, intent, {
      viewer: circumstances,
      headers,
      ...(status === undefined ? {} : { status }),
    });

  if (intent.purgedAt !== null) return problem('intent-expired');
  switch (intent.status) {
    case 'succeeded':
      return { status: 201, headers, body: intentView(intent, circumstances) };
    case 'canceled':
      return problem('canceled');
    case 'failed':
      if (intent.rejection === null) return problem('effect-not-applied');
      return problem('effect-rejected', intent.rejection.declined ? 402 : 422);
    case 'accepted':
    case 'executing':
    case 'pending':
    case 'unknown':
    case 'in_review':
      return {
        status: 202,
        headers: { ...headers, 'retry-after': retryAfter(intent, circumstances.now) },
        body: intentView(intent, circumstances),
      };
  }
}

/** How a problem shows the intent that it is about. */
export interface IntentProblemOptions {
  readonly viewer: Viewer;
  readonly detail?: string;
  readonly headers?: ProblemOptions['headers'];
  readonly status?: number;
  /** The caller may not see the intent: the answer says what is wrong, and not with what. */
  readonly isHidden?: boolean;
}

/** A problem with the intent concerned and its verdict; the detail is the intent's reason. */
export function intentProblem(
  name: ProblemName,
  intent: IntentRow,
  { viewer, detail = intent.reason, headers = {}, status, isHidden = false }: IntentProblemOptions,
): Answer {
  return problemAnswer(name, {
    detail,
    members: isHidden
      ? {}
      : {
          intent: intentView(intent, viewer),
          verdict: verdictOf(intent.status, intent.nextStepAt),
        },
    headers,
    ...(status === undefined ? {} : { status }),
  });
}

const LEAST_SECONDS = 1;
const MOST_SECONDS = 60;

/** Whole seconds, 1 to 60, until asking again makes sense: after the engine's next step. */
export function retryAfter(intent: IntentRow, now: Date): string {
  const { nextStepAt, status } = intent;
  // A person decides and no look-up is due: asking more often than the longest pause is pointless.
  if (nextStepAt === null) return String(status === 'in_review' ? MOST_SECONDS : LEAST_SECONDS);
  const seconds = Math.ceil((nextStepAt.getTime() - now.getTime()) / 1_000);
  return String(Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS));
}
