/**
 * JSON (RFC 8259) without its ambiguities: what two parsers could read differently is refused, so
 * that what was checked is what is charged. Refused at any depth: a member name given twice, a
 * number that a double cannot hold exactly, a lone surrogate, `__proto__`, nesting beyond 32; and
 * bytes that are not UTF-8, or begin with a byte order mark.
 *
 * Own code, because the library at hand accepts a repeated member with an equal value, lone
 * surrogates and any depth.
 */
import { exactNumber } from './exact-number';
import { jsonPointer } from './json-pointer';

/** A JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** Why a text is refused, and where (RFC 6901). */
export class StrictJsonError extends Error {
  readonly pointer: string;

  constructor(detail: string, path: readonly (string | number)[]) {
    super(detail);
    this.pointer = jsonPointer(path);
  }
}

const DEEPEST_NESTING = 32;
/** One alternative a character, so that a text without a closing quote costs linear time. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null/y;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BYTE_ORDER_MARK = '\uFEFF';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads one JSON text. Throws {@link StrictJsonError}. */
export function parseStrictJson(bytes: Uint8Array): JsonValue {
  return new Reader(decode(bytes)).document();
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    // The decoder's only failure; its own message says nothing more.
    throw new StrictJsonError('is not UTF-8', []);
  }
  if (text.startsWith(BYTE_ORDER_MARK)) {
    throw new StrictJsonError('begins with a byte order mark', []);
  }
  return text;
}

class Reader {
  readonly #text: string;
  /** Where we are in the value, for the pointer of an error. */
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue {
    const value = this.#value();
    if (this.#at < this.#text.length) throw this.#notJson();
    return value;
  }

  #value(): JsonValue {
    this.#take(WHITESPACE);
    const value = this.#bareValue();
    this.#take(WHITESPACE);
    return value;
  }

  #bareValue(): JsonValue {
    const first = this.#text.charAt(this.#at);
    if (first === '{') return this.#nested(() => this.#object());
    if (first === '[') return this.#nested(() => this.#array());
    if (first === '"') return this.#string();
    if (/[a-z]/.test(first)) return this.#literal();
    return this.#number();
  }

  #nested<Value>(read: () => Value): Value {
    if (this.#path.length >= DEEPEST_NESTING) {
      throw this.#refuse(`is nested more than ${DEEPEST_NESTING} deep`);
    }
    this.#at += 1;
    return read();
  }

  #object(): JsonValue {
    const object: Record<string, JsonValue> = {};
    this.#take(WHITESPACE);
    if (this.#skip('}')) return object;
    do {
      this.#take(WHITESPACE);
      if (this.#text[this.#at] !== '"') throw this.#notJson();
      const name = this.#string();
      this.#path.push(name);
      if (name === '__proto__') throw this.#refuse('is not allowed as a member name');
      if (Object.hasOwn(object, name)) throw this.#refuse('is given twice');
      this.#take(WHITESPACE);
      this.#expect(':');
      object[name] = this.#value();
      this.#path.pop();
    } while (this.#skip(','));
    this.#expect('}');
    return object;
  }

  #array(): JsonValue {
    const array: JsonValue[] = [];
    this.#take(WHITESPACE);
    if (this.#skip(']')) return array;
    do {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
    } while (this.#skip(','));
    this.#expect(']');
    return array;
  }

  #string(): string {
    const raw = this.#take(STRING);
    if (raw === null) throw this.#notJson();
    // The expression admits exactly the strings of JSON, so the built-in parser only unescapes.
    const value = JSON.parse(raw) as string;
    if (LONE_SURROGATE.test(value)) throw this.#refuse('holds a lone surrogate');
    return value;
  }

  #number(): number {
    const numeral = this.#take(NUMBER);
    if (numeral === null) throw this.#notJson();
    const value = exactNumber(numeral);
    if (value === null) throw this.#refuse('is a number that a double cannot hold exactly');
    return value;
  }

  #literal(): boolean | null {
    const word = this.#take(LITERAL);
    if (word === null) throw this.#notJson();
    return word === 'null' ? null : word === 'true';
  }

  /** The match at the present position, which then moves behind it; null where there is none. */
  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [match] = pattern.exec(this.#text) ?? [];
    if (match === undefined) return null;
    this.#at += match.length;
    return match;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw this.#notJson();
  }

  #notJson(): StrictJsonError {
    const place = this.#at < this.#text.length ? `at character ${this.#at}` : 'at its end';
    return this.#refuse(`is not JSON ${place}`);
  }

  #refuse(detail: string): StrictJsonError {
    return new StrictJsonError(detail, this.#path);
  }
}
