import { digestKey, parseIdempotencyKey, readIdempotencyKey } from '../../api/idempotency-key';
import { Problem } from '../../api/problem';

function refusal(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Problem && error.problem === 'invalid-idempotency-key') {
      return error.message;
    }
    throw error;
  }
  throw new Error('was accepted');
}

describe('an idempotency key is', () => {
  test.each([
    ['a bare token', 'abc', 'abc'],
    ['every bare character', 'AZaz09._~:/+=@-', 'AZaz09._~:/+=@-'],
    ['a UUID', '0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c', '0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c'],
    ['its quoted spelling', '"abc"', 'abc'],
    ['trimmed', ' \t abc \t', 'abc'],
    ['case-sensitive', 'ABC', 'ABC'],
    ['a quoted text with what a token cannot hold', '"order 1, part (2)"', 'order 1, part (2)'],
    ['a quoted text with escapes', '"a\\"b\\\\c"', 'a"b\\c'],
    ['blanks inside its quotes kept', '" abc "', ' abc '],
    ['255 bare characters', 'a'.repeat(255), 'a'.repeat(255)],
    ['255 characters between quotes', `"${'a '.repeat(127)}a"`, `${'a '.repeat(127)}a`],
    ['255 escaped characters', `"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('%s', (_, line, key) => {
    expect(parseIdempotencyKey(line)).toBe(key);
  });
});

describe('an idempotency key is refused, and told why, where it is', () => {
  test.each([
    ['empty', '', 'blank'],
    ['blank', '  \t ', 'blank'],
    ['an empty string', '""', 'blank'],
    ['a blank string', '"   "', 'blank'],
    ['256 characters', 'a'.repeat(256), '255'],
    ['256 characters between quotes', `"${'a b '.repeat(64)}"`, '255'],
    ['a list', 'abc, def', 'not a list'],
    ['a list of strings', '"abc", "def"', 'not a list'],
    ['a string with a parameter', '"abc";v=1', 'bare token'],
    ['a blank inside a token', 'abc def', 'bare token'],
    ['an open string', '"abc', 'bare token'],
    ['a bare quote inside a string', '"a"b"', 'bare token'],
    ['an escape that RFC 8941 does not know', '"a\\nb"', 'bare token'],
    ['a character beyond ASCII', 'caf\u00e9', 'ASCII'],
    ['a character beyond ASCII between quotes', '"caf\u00e9"', 'ASCII'],
    ['a control character', 'a\u0001b', 'ASCII'],
    ['a tab inside', '"a\tb"', 'ASCII'],
    ['DEL', 'a\u007fb', 'ASCII'],
  ])('%s', (_, line, reason) => {
    const detail = refusal(() => parseIdempotencyKey(line));
    expect(detail).toContain(reason);
    if (line.length > 3) expect(detail).not.toContain(line);
  });
});

describe('B20: the header', () => {
  test('is found in any case', () => {
    expect(readIdempotencyKey(['Host', 'x', 'IDEMPOTENCY-KEY', 'abc'])).toBe('abc');
  });

  test('is required', () => {
    expect(refusal(() => readIdempotencyKey(['Host', 'idempotency-key']))).toContain('required');
  });

  test.each([
    [['Idempotency-Key', 'abc', 'idempotency-key', 'abc']],
    [['Idempotency-Key', 'abc', 'X', 'y', 'Idempotency-Key', 'def']],
  ])('is refused when it comes twice', (rawHeaders) => {
    expect(refusal(() => readIdempotencyKey(rawHeaders))).toContain('one line');
  });
});

describe('the digest of a key', () => {
  const secret = Buffer.alloc(32, 1);
  const base = { tenant: 't1', operation: 'payment.charge', key: 'k' };

  test('has 32 bytes and depends on every part of the identity and on the secret', () => {
    const digests = [
      digestKey(secret, base),
      digestKey(secret, { ...base, tenant: 't2' }),
      digestKey(secret, { ...base, operation: 'payment.refund' }),
      digestKey(secret, { ...base, key: 'K' }),
      digestKey(Buffer.alloc(32, 2), base),
    ].map((digest) => digest.toString('hex'));
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests.every((digest) => digest.length === 64)).toBe(true);
  });

  test('B14: no delimiter makes two identities one', () => {
    const digest = (tenant: string, key: string): string =>
      digestKey(secret, { tenant, operation: 'o', key }).toString('hex');
    expect(digest('t:o', 'k')).not.toBe(digest('t', 'o:k'));
    expect(digest('t1', 'a:b')).not.toBe(digest('t1:a', 'b'));
    expect(digest('t1', '","o","k')).not.toBe(digest('t1","o', 'k'));
  });
});
