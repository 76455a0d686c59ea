import { parseStrictJson, StrictJsonError } from '../../api/strict-json';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): unknown => parseStrictJson(bytes(text));

function refusal(text: string | Uint8Array): { pointer: string; detail: string } {
  try {
    parseStrictJson(typeof text === 'string' ? bytes(text) : text);
  } catch (error) {
    if (error instanceof StrictJsonError) return { pointer: error.pointer, detail: error.message };
    throw error;
  }
  throw new Error('was accepted');
}

const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('strict JSON agrees with the built-in parser on', () => {
  test.each([
    'null',
    ' true ',
    '[]',
    '{}',
    '{"a":{"b":[1,2.5,-3,1e3,"x"]},"c":null}',
    '"\\u00e9\\n\\/\\\\\\"\\ud83d\\ude00é😀"',
    '\t\r\n[ 1 , 2 ]\n',
    '0.1',
    '-0.000001',
    '9007199254740991',
    '-9007199254740991',
    '{"constructor":1,"toString":2,"":3}',
    nest(32),
  ])('%s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe('strict JSON refuses what is not JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    'undefined',
    'truely',
    '"a\tb"',
    '"\\x41"',
    '"\\u12"',
    '"open',
    '1 2',
    '{"a" 1}',
    '[1 2]',
    '// comment\n1',
    '\u00a01',
  ])('%j', (text) => {
    expect(refusal(text).detail).toMatch(/^is not JSON/);
  });
});

describe('strict JSON refuses what two parsers may read differently', () => {
  test.each([
    ['a member twice', '{"a":1,"a":2}', '/a', 'is given twice'],
    ['a member twice with one value', '{"a":1,"a":1}', '/a', 'is given twice'],
    ['a member twice, spelled apart', '{"amount":1,"\\u0061mount":1}', '/amount', 'twice'],
    ['a member twice, deep', '[{"m":{"x/y":1,"x/y":2}}]', '/0/m/x~1y', 'is given twice'],
    ['__proto__', '{"__proto__":{}}', '/__proto__', 'not allowed'],
    ['__proto__, escaped and deep', '{"m":{"__\\u0070roto__":1}}', '/m/__proto__', 'not allowed'],
    ['an unsafe integer', '{"n":9007199254740992}', '/n', 'exactly'],
    ['an unsafe integer with exponent', '1e20', '', 'exactly'],
    ['a number that overflows', '[1e400]', '/0', 'exactly'],
    ['a number that underflows', '1e-400', '', 'exactly'],
    ['a number that would be rounded', '0.10000000000000001', '', 'exactly'],
    ['an endless numeral', `0.${'0'.repeat(60_000)}1`, '', 'exactly'],
    ['a lone high surrogate', '"\\ud800"', '', 'lone surrogate'],
    ['a lone low surrogate in a name', '{"\\udc00":1}', '', 'lone surrogate'],
    ['nesting beyond 32', nest(33), '/0'.repeat(32), 'nested'],
    ['nesting that would exhaust the stack', '['.repeat(60_000), '/0'.repeat(32), 'nested'],
    ['a byte order mark', '\uFEFF{}', '', 'byte order mark'],
  ])('%s', (...row) => {
    const [, text, pointer, detail] = row;
    const refused = refusal(text);
    expect(refused.pointer).toBe(pointer);
    expect(refused.detail).toContain(detail);
  });

  test('bytes that are not UTF-8', () => {
    expect(refusal(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)).detail).toBe('is not UTF-8');
    // A surrogate encoded as three bytes.
    expect(refusal(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)).detail).toBe('is not UTF-8');
  });

  test('one number in its many spellings is one number', () => {
    for (const text of ['1000', '1000.0', '1e3', '1E+3', '10000e-1', '1000.000000']) {
      expect(parse(text)).toBe(1000);
    }
    expect(Object.is(parse('-0'), 0)).toBe(true);
  });

  test('a long text without an end is refused in linear time', () => {
    const started = performance.now();
    refusal(`"${'a'.repeat(60_000)}`);
    refusal(`"${'\\n'.repeat(30_000)}`);
    refusal(`0.1${'0'.repeat(60_000)}1`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
