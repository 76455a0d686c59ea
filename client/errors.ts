/** How a call can end without a result. */
import { type Intent, type ProblemBody, type Verdict } from './types';

/** The gateway refused: a problem (RFC 9457). For now, or for good: `status` and `problem` say which. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** Last segment of the problem's type: `business-key-taken`. */
  readonly problem: string;
  /** HTTP status. */
  readonly status: number;
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(`${body.status} ${body.title}${body.detail === undefined ? '' : ` ${body.detail}`}`);
    this.problem = body.type.split('/').at(-1) ?? '';
    this.status = body.status;
    this.body = body;
  }

  /** The intent concerned; on `business-key-taken` the one that stands in the way. */
  get intent(): Intent | undefined {
    return this.body.intent;
  }

  get verdict(): Verdict | undefined {
    return this.body.verdict;
  }
}

/**
 * No answer that says anything, however often the request was sent. The intent may be recorded and
 * the effect may exist: the only safe thing is to send the same request under the same key again.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly tries: number;

  constructor(tries: number, cause: unknown) {
    super(
      `No answer in ${tries} tries. It may have happened: repeat with the same idempotency key, never with a new one.`,
      { cause },
    );
    this.tries = tries;
  }
}
