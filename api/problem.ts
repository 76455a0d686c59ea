/**
 * Every error that a caller may see, in one table (RFC 9457). Code throws a {@link Problem} where a
 * request ends early; `error-handler.ts` turns it, and everything unforeseen, into an answer.
 */
import { type Answer } from './answer';

/** Problem types by name: the HTTP status and the fixed title of each. */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request is not HTTP as it should be.' },
  'invalid-parameters': { status: 400, title: 'The parameters are not valid.' },
  'invalid-idempotency-key': { status: 400, title: 'The Idempotency-Key is missing or malformed.' },
  'notification-malformed': { status: 400, title: 'The notification cannot be read.' },
  unauthenticated: { status: 401, title: 'A valid bearer token is required.' },
  'notification-not-proven': { status: 401, title: 'The signature does not prove the sender.' },
  forbidden: { status: 403, title: 'The token does not allow this.' },
  'not-found': { status: 404, title: 'There is nothing here for this token.' },
  'method-not-allowed': { status: 405, title: 'This path does not take this method.' },
  canceled: { status: 409, title: 'The intent was canceled; nothing was done.' },
  'too-late': { status: 409, title: 'The intent has ended; this comes too late.' },
  'decision-not-legal': { status: 409, title: 'The decision is not legal at this moment.' },
  'not-open': { status: 409, title: 'There is nothing open here to close.' },
  'look-up-not-possible': { status: 409, title: 'The provider cannot be asked about this now.' },
  'business-key-taken': { status: 409, title: 'Another live intent has this reference.' },
  'refund-exceeds-charge': {
    status: 409,
    title: 'The refunds would exceed the charge; nothing was recorded.',
  },
  'charge-not-refundable': {
    status: 409,
    title: 'The charge cannot be refunded; nothing was recorded.',
  },
  'intent-expired': { status: 410, title: 'The intent was purged; its outcome is kept.' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time.' },
  'content-too-large': { status: 413, title: 'The body is larger than 64 KiB.' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json.' },
  'idempotency-key-reused': {
    status: 422,
    title: 'This Idempotency-Key names another request; nothing was done for this one.',
  },
  'decision-id-reused': {
    status: 422,
    title: 'This decision_id names another decision; nothing was decided.',
  },
  'effect-rejected': { status: 422, title: 'The provider refused; nothing was done.' },
  'effect-not-applied': { status: 422, title: 'It is proven that nothing was done; given up.' },
  'rate-limited': { status: 429, title: 'The token makes too many requests.' },
  'header-fields-too-large': { status: 431, title: 'The header fields are too large.' },
  'internal-error': { status: 500, title: 'Something went wrong on our side.' },
  'store-unavailable': { status: 503, title: 'The store cannot be used; nothing was decided.' },
  overloaded: { status: 503, title: 'The process has more work than it can answer in time.' },
  'engine-unavailable': { status: 503, title: 'Temporal or the worker did not answer in time.' },
  'newer-version': { status: 503, title: 'A newer version of this service must answer.' },
} as const satisfies Readonly<Record<string, { status: number; title: string }>>;

/** Last segment of a problem's `type`. */
export type ProblemName = keyof typeof PROBLEMS;

/** What a problem says beside its type. */
export interface ProblemOptions {
  /** One sentence for the caller; never holds keys, tokens or provider internals. */
  readonly detail?: string;
  /** Extension members of the body. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where one type has two statuses: a decline is 402, any other rejection 422. */
  readonly status?: number;
}

/** Ends a request with a problem. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly problem: ProblemName;
  readonly options: ProblemOptions;

  constructor(problem: ProblemName, options: ProblemOptions = {}) {
    super(options.detail ?? PROBLEMS[problem].title);
    this.problem = problem;
    this.options = options;
  }
}

/**
 * The `type` of a problem: where its page is, below the address that the request went to (RFC 9457,
 * 3.1.1). So it leads somewhere in every deployment, whatever its name.
 */
export function problemType(name: ProblemName): string {
  return `/problems/${name}`;
}

/** The answer that tells of a problem. */
export function problemAnswer(name: ProblemName, options: ProblemOptions = {}): Answer {
  const { title } = PROBLEMS[name];
  const { detail, members, headers, status = PROBLEMS[name].status } = options;
  return {
    problem: name,
    status,
    headers: { ...headers, 'content-type': 'application/problem+json' },
    body: {
      type: problemType(name),
      title,
      status,
      ...(detail === undefined ? {} : { detail }),
      ...members,
    },
  };
}
