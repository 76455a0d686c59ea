/**
 * The fingerprint, as a request meets it: strict JSON, schema, canonical form. The cases in
 * `cases/canon.jsonl` come from public bug reports; they run through an operation made for them, whose
 * free-form members (`meta`, `splits`, `note`, `client`) payment.charge does not have.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { z } from 'zod';
import { createFingerprints } from '../../api/fingerprint';
import { Problem } from '../../api/problem';
import { readParameters } from '../../api/read-parameters';
import { type Operation } from '../../operations/operation';
import { paymentCharge } from '../../operations/payment-charge';

interface CanonCase {
  readonly id: string;
  readonly rule: string;
  readonly pairs: readonly { a: string; b: string; verdict: string; why: string }[];
}

const CASES = readFileSync(join(__dirname, 'cases', 'canon.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CanonCase);

/** Required members off, typed members typed, `capture` with its default, `client` not relevant. */
const caseOperation: Operation = {
  ...paymentCharge,
  schema: z.strictObject({
    amount: z.int().optional(),
    currency: z.string().optional(),
    reference: z.string().optional(),
    source: z.string().optional(),
    capture: z.boolean().default(true),
    note: z.json().optional(),
    meta: z.json().optional(),
    splits: z.json().optional(),
    client: z.json().optional(),
  }),
  fingerprintFields: [
    'amount',
    'currency',
    'reference',
    'source',
    'capture',
    'note',
    'meta',
    'splits',
  ],
};

const SECRET = Buffer.alloc(32, 7);
const FINGERPRINTS = createFingerprints(SECRET);

/** Hexadecimal fingerprint of a body, or `null` where it is refused. */
function fingerprintOf(operation: Operation, body: string): string | null {
  try {
    const params = readParameters(operation, new TextEncoder().encode(body));
    return FINGERPRINTS.of(operation, params).toString('hex');
  } catch (error) {
    if (error instanceof Problem && error.problem === 'invalid-parameters') return null;
    throw error;
  }
}

function verdictsOn(a: string | null, b: string | null): readonly string[] {
  const rejected = a === null || b === null;
  return [
    ...(rejected ? ['reject'] : []),
    ...(a === null ? ['reject-a'] : []),
    ...(!rejected && a === b ? ['equal'] : []),
    ...(!rejected && a !== b ? ['different'] : []),
  ];
}

describe.each(CASES)('$id: $rule', ({ pairs }) => {
  test.each(pairs)('$why: $verdict', ({ a, b, verdict }) => {
    const verdicts = verdictsOn(fingerprintOf(caseOperation, a), fingerprintOf(caseOperation, b));
    expect(verdicts.some((one) => verdict.split('|').includes(one))).toBe(true);
  });
});

test('the case file is the whole of it', () => {
  expect(CASES.flatMap(({ pairs }) => pairs)).toHaveLength(34);
});

const printable = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength })
    .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text) && /\S/u.test(text));

const charge = fc.record(
  {
    amount: fc.integer({ min: 1, max: 99_999_999_999 }),
    currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
    source: printable(40),
    reference: printable(40),
    provider: fc.constantFrom('sim-full', 'sim-lookup'),
    description: printable(60),
    metadata: fc.dictionary(
      printable(20).filter((key) => key !== '__proto__'),
      printable(40),
      { maxKeys: 5 },
    ),
  },
  { requiredKeys: ['amount', 'currency', 'source', 'reference'] },
);

type Charge = typeof charge extends fc.Arbitrary<infer Value> ? Value : never;
const print = (body: Charge): string | null => fingerprintOf(paymentCharge, JSON.stringify(body));

/** Another text of the same value: members moved, blanks added, numbers and letters respelled. */
function respell(value: unknown, turn: number): string {
  const blank = [' ', '\n', '\t', ''][turn % 4] ?? '';
  if (typeof value === 'number') {
    return [String(value), `${value}.0`, `${value}e0`, `${value}0e-1`][turn % 4] ?? '';
  }
  if (typeof value === 'string') {
    const escaped = JSON.stringify(value);
    return turn % 2 === 0
      ? escaped
      : escaped.replace(/[^\\"a-z]/g, (unit) => {
          return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
        });
  }
  const members = Object.entries(value as Record<string, unknown>);
  const moved = [
    ...members.slice(turn % members.length),
    ...members.slice(0, turn % members.length),
  ];
  const written = moved.map(
    ([name, member], index) =>
      `${blank}${JSON.stringify(name)}${blank}:${blank}${respell(member, turn + index)}${blank}`,
  );
  return `{${written.join(',')}${blank}}`;
}

describe('a charge', () => {
  test('has one fingerprint in all its spellings', () => {
    fc.assert(
      fc.property(charge, fc.nat(40), (body, turn) => {
        const text = respell(body, turn);
        expect(JSON.parse(text)).toEqual(body);
        expect(print(body)).not.toBeNull();
        expect(fingerprintOf(paymentCharge, text)).toBe(print(body));
      }),
    );
  });

  test('that differs in any member has another fingerprint', () => {
    fc.assert(
      fc.property(charge, charge, (one, other) => {
        const members = Object.keys(other) as (keyof Charge)[];
        for (const member of members) {
          const changed = { ...one, [member]: other[member] };
          const isSame = JSON.stringify(sorted(changed)) === JSON.stringify(sorted(one));
          expect(print(changed) === print(one)).toBe(isSame);
        }
      }),
    );
  });

  test('that leaves a member out differs from one that has it, null or empty', () => {
    const body = { amount: 1, currency: 'EUR', source: 's', reference: 'r' };
    const texts = [
      body,
      { ...body, description: '' },
      { ...body, metadata: {} },
      { ...body, provider: 'sim-full' },
    ].map((one) => fingerprintOf(paymentCharge, JSON.stringify(one)));
    expect(new Set(texts).size).toBe(texts.length);
    expect(fingerprintOf(paymentCharge, JSON.stringify({ ...body, description: null }))).toBeNull();
  });

  test('is fingerprinted over every member of its schema', () => {
    const { shape } = paymentCharge.schema as unknown as z.ZodObject;
    expect([...paymentCharge.fingerprintFields].sort()).toEqual(Object.keys(shape).sort());
  });
});

function sorted(body: Record<string, unknown>): unknown {
  return Object.entries(body)
    .map(([name, value]) => [
      name,
      typeof value === 'object' ? Object.entries(value ?? {}).sort() : value,
    ])
    .sort();
}

describe('B12: fingerprint versions', () => {
  const params = { amount: 1, currency: 'EUR', source: 's', reference: 'r' };

  test('version 1 never changes', () => {
    // sha256sum of {"amount":1,"currency":"EUR","reference":"r","source":"s"}
    expect(FINGERPRINTS.of(paymentCharge, params, 1).toString('hex')).toBe(
      '0d214f2e00bef12d697b5c805097cf6d415826c4d1becf8d863bd8216669d7f3',
    );
  });

  test('version 2 never changes', () => {
    // Computed in Python: HKDF of 32 bytes 07, info "resolute fingerprint 2"; under it HMAC of the same document.
    expect(FINGERPRINTS.of(paymentCharge, params, 2).toString('hex')).toBe(
      '99413f71c433f2ebb5c4e684f01ef655c23102c1f6a50602f0e14153fce40d29',
    );
  });

  test('new intents get version 2, which nobody without the secret can compute', () => {
    expect(FINGERPRINTS.present).toBe(2);
    const others = createFingerprints(Buffer.alloc(32, 8));
    const [ours, theirs] = [FINGERPRINTS, others].map((one) => one.of(paymentCharge, params));
    expect(ours).not.toEqual(theirs);
    // Nor who was told what the secret itself digests: the subkey is another key.
    const document = '{"amount":1,"currency":"EUR","reference":"r","source":"s"}';
    expect(ours).not.toEqual(createHmac('sha256', SECRET).update(document).digest());
  });

  test.each([1, 2])('a row of version %i is compared under its own version', (version) => {
    const recorded = {
      fingerprint: FINGERPRINTS.of(paymentCharge, params, version),
      fingerprintVersion: version,
    };
    expect(FINGERPRINTS.areSame(recorded, paymentCharge, params)).toBe(true);
    expect(FINGERPRINTS.areSame(recorded, paymentCharge, { ...params, amount: 2 })).toBe(false);
    const swapped = { ...recorded, fingerprintVersion: 3 - version };
    expect(FINGERPRINTS.areSame(swapped, paymentCharge, params)).toBe(false);
  });

  test('a version of the future is neither the same nor another: try again', () => {
    const recorded = { fingerprint: Buffer.alloc(32), fingerprintVersion: 3 };
    expect(() => FINGERPRINTS.areSame(recorded, paymentCharge, params)).toThrow(
      new Problem('newer-version').message,
    );
  });
});
