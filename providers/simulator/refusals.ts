/** What the simulator refuses alike, whatever is asked: the last arms of its tables of answers. */
import { type Finding } from '../../domain/journal';
import { type HttpResult } from '../transport';

/** An answer of the simulator. */
export type Answer = Extract<HttpResult, { kind: 'answer' }>;

/** 401 and 429 are documented as refused before execution; of anything else nothing is known. */
export function refusedOrUnknown(answer: Answer): Finding {
  switch (answer.status) {
    case 401:
      return notTaken('credentials refused (401)', null);
    case 429:
      return notTaken('rate limited (429)', answer.retryAfterMs);
    default:
      return { kind: 'unknown', why: told(answer), frozen: answer.replayed };
  }
}

function notTaken(why: string, retryAfterMs: number | null): Finding {
  return { kind: 'not_sent', why, retryAfterMs, answered: true };
}

/** The answer's status and, where it has one, its code: no text that somebody else wrote. */
export function told(answer: Answer): string {
  const code = codeOf(answer);
  return code === null ? `answer ${answer.status}` : `answer ${answer.status} (${code})`;
}

/** The provider's error code, if it looks like one. */
export function codeOf(answer: Answer): string | null {
  const error = answer.json?.['error'];
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : null;
}
