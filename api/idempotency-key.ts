/**
 * The caller's name for the intent, from exactly one header line (Node joins repeated ones, so the
 * raw lines are read). Grammar: a bare token of 1 to 255 of `[A-Za-z0-9._~:/+=@-]`, or an RFC 8941
 * string of 1 to 255 characters; both spellings of one text are one key.
 */
import { createHmac } from 'node:crypto';
import { Problem } from './problem';

const HEADER = 'idempotency-key';
const LONGEST_KEY = 255;
const BARE = /^[A-Za-z0-9._~:/+=@-]+$/;
/** RFC 8941, 3.3.3: printable ASCII, with `\"` and `\\` for the two that need it. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const PRINTABLE_ASCII = /^[ -~]+$/;

/** The grammar as one expression, for the published document. */
export const KEY_GRAMMAR = `^(?:[A-Za-z0-9._~:/+=@-]{1,${LONGEST_KEY}}|" *(?:[!#-\\[\\]-~]|\\\\["\\\\])(?:[ !#-\\[\\]-~]|\\\\["\\\\]){0,${LONGEST_KEY - 1}}")$`;

/** The key of a request, if it has one and it is well formed. */
export function findIdempotencyKey(rawHeaders: readonly string[]): string | null {
  try {
    return readIdempotencyKey(rawHeaders);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The key of a request. Throws 400 that says which rule was broken, never the key itself. */
export function readIdempotencyKey(rawHeaders: readonly string[]): string {
  const lines = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER,
  );
  const [line] = lines;
  if (line === undefined) throw refused('The Idempotency-Key header is required.');
  if (lines.length > 1) throw refused('The Idempotency-Key header must be one line.');
  return parseIdempotencyKey(line);
}

/** The key from the text of a header line. Throws like {@link readIdempotencyKey}. */
export function parseIdempotencyKey(line: string): string {
  const text = line.replace(/^[ \t]+|[ \t]+$/g, '');
  if (text === '') throw refused('The Idempotency-Key must not be blank.');
  if (!PRINTABLE_ASCII.test(text)) {
    throw refused('The Idempotency-Key must be printable ASCII, without control characters.');
  }
  return checkLength(BARE.test(text) ? text : unquote(text));
}

/** Keyed digest, 32 bytes: identities are found by it, and a copy of the table reveals no key. */
export function digestKey(
  secret: Buffer,
  identity: { readonly tenant: string; readonly operation: string; readonly key: string },
): Buffer {
  // A JSON array is unambiguous: no tenant or key can be chosen so that two identities read alike.
  const text = JSON.stringify([identity.tenant, identity.operation, identity.key]);
  return createHmac('sha256', secret).update(text).digest();
}

function unquote(text: string): string {
  const [, inner] = QUOTED.exec(text) ?? [];
  if (inner === undefined) {
    throw refused(
      text.includes(',')
        ? 'The Idempotency-Key must be one key, not a list; quote a key that holds a comma.'
        : 'The Idempotency-Key must be a bare token of A-Z a-z 0-9 . _ ~ : / + = @ - or a quoted string (RFC 8941).',
    );
  }
  const key = inner.replace(/\\(.)/g, '$1');
  if (key.trim() === '') throw refused('The Idempotency-Key must not be blank.');
  return key;
}

function checkLength(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  throw refused(`The Idempotency-Key must have at most ${LONGEST_KEY} characters.`);
}

function refused(detail: string): Problem {
  return new Problem('invalid-idempotency-key', { detail });
}
